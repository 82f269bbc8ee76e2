/* A deck of `export --format html` in a browser: its pages, its cells, nothing fetched.
 *
 *   node tests/deck.mjs small.html       (of the lesson in tests/commands.sh) */
import {resolve} from 'node:path';
import {openBrowser} from './browser.mjs';

const browser = await openBrowser({width: 1280, height: 720});
await browser.send('Network.enable');
const shown = () => browser.run(
  '[...document.querySelectorAll("section[id]")].map((page) => page.id).join()');
const same = (found, wanted, what) => {
  if (found !== wanted) throw new Error(`${what} is ${found} and not ${wanted}`);
};

try {
  await browser.open('file://' + resolve(process.argv[2]));
  await browser.until('document.querySelector("section")', 20);
  same(await shown(), 'p1', 'the first page');
  await browser.key('ArrowRight');
  same(await shown(), 'p2', 'the page behind it');
  await browser.key('End');
  same(await shown(), 'p4', 'the last page');
  await browser.run('location.hash = "#p2"; 0');
  await browser.until('document.getElementById("p2")', 5);
  const [x, y] = await browser.run(`(() => {
    const cell = [...document.querySelectorAll('#p2 .c')]
      .find((cell) => cell.getAttribute('aria-label').includes('e to the power of'));
    const box = cell.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]; })()`);
  await browser.mouse('mouseMoved', x, y);
  await browser.until('document.querySelector("output").textContent.includes("÷")', 5);
  const link = await browser.run(`(() => {
    const box = document.querySelector('#p2 a[href="#p1"] .l').getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]; })()`);
  await browser.mouse('mouseMoved', ...link); /* the sum leaves the timeline free */
  await browser.click(...link);
  await browser.until('document.getElementById("p1")', 5);
  await browser.run('dispatchEvent(new Event("beforeprint")), 0');
  same(await shown(), 'p1,p2,p3,p4', 'what is printed');
  const asked = browser.events.filter((event) => event.method === 'Network.requestWillBeSent')
    .map((event) => event.params.request.url).filter((url) => !/^(file|data):/.test(url));
  same(asked.join(), '', 'what was fetched');
  same(browser.errors(), '', 'what went wrong');
  await browser.run(`document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="ran = 1">'
    + '<svg onload="ran = 2"></svg>'), document.body.setAttribute('onclick', 'ran = 3'),
    document.body.click(), 0`);
  await browser.sleep(300);
  same(await browser.run('typeof ran'), 'undefined', 'an injected handler that ran');
} finally {
  await browser.close();
}
