/* Speed of the program in Chromium: the first picture, from a server and from a disk, and the
 * time from a key to its picture: of one pressed while the page rests, which has then drawn
 * the next picture ahead, and of one held down. Prints medians.
 *
 *   node tests/bench/web.mjs WEB_FOLDER [ROUNDS] [LESSONS]
 *
 * WEB_FOLDER is what app/web/build.sh makes; LESSONS: "08-one-head 31-training", by default
 * every fifth one. */
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {join, resolve} from 'node:path';
import {openBrowser} from '../browser.mjs';

const folder = resolve(process.argv[2]);
const rounds = Number(process.argv[3] || 9);
const top = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const ids = readdirSync(join(top, 'lessons')).filter((name) => /^\d.*\.yaml$/.test(name))
  .map((name) => name.slice(0, -5)).sort();
const lessons = process.argv[4]?.split(' ') || ids.filter((_, i) => i % 5 === 0);

let sent = 0; // bytes of all answers
const server = createServer((request, response) => {
  const path = request.url.replace(/[?].*/, '');
  const name = path.slice(1) || 'index.html';
  if (!readdirSync(join(folder, 'site')).includes(name)) return response.writeHead(404).end();
  const body = readFileSync(join(folder, 'site', name));
  response.setHeader('Content-Type', path === '/' ? 'text/html' : 'application/octet-stream');
  sent += body.length;
  response.end(body);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;
const disk = `file://${folder}/glassformer.html`;

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const share = (numbers, part) => sorted(numbers)[Math.min(numbers.length - 1,
  Math.floor(part * numbers.length))];
const median = (numbers) => share(numbers, 0.5);

/* Milliseconds from the address to each of the page's marks, and bytes until the picture. */
async function begin(browser, url) {
  await browser.open('about:blank');
  await browser.until('location.href === "about:blank"');
  await browser.clear(address);
  await browser.send('Network.clearBrowserCache');
  sent = 0;
  await browser.open(url);
  await browser.until('performance.getEntriesByName("picture").length > 0');
  const bytes = sent;
  await browser.until('document.getElementById("words").ariaBusy !== "true"');
  const marks = await browser.run(
    'performance.getEntriesByType("mark").map((mark) => [mark.name, mark.startTime])');
  return {marks: Object.fromEntries(marks), bytes};
}

function printMarks(what, all) {
  const names = Object.keys(all[0].marks);
  const times = names.map((name) =>
    `${name} ${median(all.map((one) => one.marks[name])).toFixed(0)}`);
  console.log(`${what}: ${times.join(', ')} ms`);
}

const browser = await openBrowser({width: 1920, height: 1080});
await browser.send('Network.enable');
for (const [what, url] of [['home, served', address], ['home, from disk', disk],
  ['lesson 8, served', address + '?lesson=08-one-head&lang=en'],
  ['lesson 8 in Chinese, served', address + '?lesson=08-one-head&lang=zh']]) {
  const all = [];
  for (let i = 0; i < rounds; i++) all.push(await begin(browser, url));
  printMarks(what, all);
  if (all[0].bytes) console.log(`  ${(all[0].bytes / 1e6).toFixed(2)} MB to the first picture`);
}

/* Milliseconds of a key and of the picture that follows it, for each step of a lesson, with
 * so many milliseconds before each. */
const stepThrough = (pause) => `(async () => {
  const times = [], usual = requestAnimationFrame;
  for (let step = 1; step <= 12; step++) {
    await new Promise((done) => setTimeout(done, ${pause}));
    let turn = 0, turned;
    const next = new Promise((done) => turned = done);
    window.requestAnimationFrame = (call) => usual((time) => {
      const from = performance.now();
      call(time);
      turn = performance.now() - from;
      turned();
    });
    const from = performance.now();
    document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', code: 'ArrowRight'}));
    const key = performance.now() - from;
    await next;
    window.requestAnimationFrame = usual;
    times.push(key + turn);
  }
  return times;
})()`;
for (const [what, pause] of [['pressed', 400], ['held down', 30]]) {
  const steps = [];
  for (const lesson of lessons) {
    await begin(browser, `${address}?lesson=${lesson}&lang=en&step=1`);
    steps.push(...await browser.run(stepThrough(pause)));
  }
  console.log(`${steps.length} steps at 1920 × 1080, ${what}: median ` +
    `${median(steps).toFixed(1)}, p95 ${share(steps, 0.95).toFixed(1)}, ` +
    `longest ${share(steps, 1).toFixed(1)} ms`);
}
await browser.close();
server.close();
