/* The program in a browser, driven as a visitor would, and held against the one that has a
 * window. Prints TAP.
 *
 *   node tests/web.mjs PROGRAM WEB_FOLDER
 *
 * WEB_FOLDER is what app/web/build.sh makes; $GLASSFORMER_SAMPLE: every how manyth lesson is
 * stepped through. */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {inflateSync} from 'node:zlib';
import {openBrowser} from './browser.mjs';

const [program, folder] = process.argv.slice(2, 4).map((path) => resolve(path));
const sample = Number(process.env.GLASSFORMER_SAMPLE || 1);
const work = mkdtempSync(join(tmpdir(), 'web-'));
const environment = {...process.env, HOME: work, XDG_DATA_HOME: work, LC_ALL: 'C.UTF-8'};
let number = 0, bad = 0;

const native = (...args) => execFileSync(program, args,
  {env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28});

/* What the program reads aloud where keys have led. */
const heard = (lesson, keys) =>
  native('play', lesson, '--ask', '--reduced-motion', '--keys', keys, '--say').trim();

async function check(name, test) {
  number++;
  try {
    await test();
    console.log(`ok ${number} - ${name}`);
  } catch (error) {
    bad++;
    console.log(`not ok ${number} - ${name}`);
    console.log(String(error.stack || error).slice(0, 3000).replace(/^/gm, '# '));
  }
}

function same(found, wanted, what = '') {
  const short = (text) => String(text).slice(0, 1000);
  if (found !== wanted)
    throw new Error(`${what} is\n${short(found)}\nand not\n${short(wanted)}`);
}

/* The colours of a PNG that the program has written. */
const colors = (png) => inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));

/* The edge of a large letter may be a level lighter: long numbers are shorter there. */
function alike(found, wanted, what) {
  const [a, b] = [colors(found), colors(wanted)];
  let others = a.length === b.length ? 0 : Infinity, most = 0;
  for (let i = 0; i < a.length; i++) {
    others += a[i] !== b[i];
    most = Math.max(most, Math.abs(a[i] - b[i]));
  }
  if (others > 30 || most > 1) throw new Error(`${what}: ${others} colours by up to ${most}`);
}

// ---- the page ----

const frame = `<body style="margin:0"><iframe width="900" height="500" src="/?embed&lesson=08-one-head&step=3">
  </iframe><script>pressed = ''; onkeydown = (event) => pressed += event.key</script>`;

const server = createServer((request, response) => {
  const path = request.url.replace(/[?].*/, '');
  if (path === '/frame') return response.end(frame);
  const name = path.slice(1) || 'index.html';
  response.setHeader('Content-Type', path === '/' ? 'text/html' :
    name.endsWith('.js') ? 'text/javascript' : 'application/octet-stream');
  if (!readdirSync(join(folder, 'site')).includes(name)) response.writeHead(404).end();
  else response.end(readFileSync(join(folder, 'site', name)));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;

/* Opens an address with nothing kept, and motion reduced. */
async function begin(browser, url, keeps = false) {
  await browser.send('Emulation.setEmulatedMedia',
    {features: [{name: 'prefers-reduced-motion', value: 'reduce'}]});
  await browser.open('about:blank');
  await browser.until('location.href === "about:blank"');
  if (!keeps) await browser.send('Storage.clearDataForOrigin', {origin: address, storageTypes: 'all'});
  await browser.open(url);
  for (const mark of ['picture', 'letters'])
    await browser.until(`performance.getEntriesByName("${mark}").length > 0`);
}

/* What is read aloud, once nothing moves. */
async function words(browser) {
  await browser.run(`new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)))`);
  await browser.until('document.getElementById("words").ariaBusy !== "true"');
  return browser.run('document.getElementById("words").textContent.trim()');
}

/* The bytes of the file that a key gives the visitor, in base64. */
async function given(browser, key) {
  await browser.run(`window.given = new Promise((done) => {
    URL.createObjectURL = (blob) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result.replace(/.*,/, ''));
      reader.readAsDataURL(blob);
      return 'data:,';
    };
  }); 0`);
  await browser.key(key);
  return browser.run('window.given');
}

const [WIDTH, HEIGHT] = [1280, 800];
const desk = await openBrowser({width: WIDTH, height: HEIGHT});

for (const [index, line] of native('list').trim().split('\n').entries()) {
  const [lesson, steps] = line.split(/\s+/);
  if (index % sample && lesson !== '08-one-head') continue;
  await check(`${lesson} goes from step to step as it does in a window`, async () => {
    await begin(desk, `${address}?lesson=${lesson}&lang=en&step=1`);
    const keys = [];
    for (let step = 1; step < Number(steps); step++) {
      same(await words(desk), heard(lesson, keys.join(' ')), `what ${lesson} says on ${step}`);
      await desk.key('ArrowRight');
      keys.push('Right');
    }
    same(await words(desk), heard(lesson, keys.join(' ')), `what ${lesson} says at its end`);
    const pictures = join(work, lesson);
    native('play', `?lesson=${lesson}&lang=en&step=1`, '--ask', '--reduced-motion', '--keys',
      [...keys, 'S'].join(' '), '--size', `${WIDTH}x${HEIGHT}`, '--out', pictures);
    alike(Buffer.from(await given(desk, 's'), 'base64'),
      readFileSync(join(pictures, readdirSync(pictures)[0])), `the picture of ${lesson}'s end`);
  });
}

await check('a saved picture has the same bytes', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=zh&theme=dark&step=8`);
  await words(desk);
  const picture = await given(desk, 's');
  native('play', '?lesson=08-one-head&lang=zh&theme=dark&step=8', '--ask', '--keys', 'S', '--size',
    `${WIDTH}x${HEIGHT}`, '--out', work);
  same(picture, readFileSync(join(work, '08-one-head-8.png')).toString('base64'), 'the picture');
});

await check('what the canvas shows is what was painted', async () => {
  await begin(desk, `${address}?lesson=08-one-head&step=2&lang=en&theme=light`);
  same(await desk.run(`(() => { const canvas = document.getElementById('picture');
    const pixel = canvas.getContext('2d').getImageData(1, canvas.height - 2, 1, 1).data;
    return canvas.width + ' ' + canvas.height + ' ' + pixel[3]; })()`), `${WIDTH} ${HEIGHT} 255`);
});

await check('a cell is changed by typing, and the change is there again', async () => {
  const keys = 'Enter Ctrl+A Type:5 Enter';
  await begin(desk, `${address}?lesson=08-one-head&lang=en&step=1`);
  for (const [key, held] of [['Enter', 0], ['a', 2], ['5', 0], ['Enter', 0]]) {
    await desk.key(key, held);
    await words(desk);
  }
  const after = await words(desk);
  same(after, heard('08-one-head', keys), 'what is said then');
  await desk.run('dispatchEvent(new Event("pagehide")), 0');
  await begin(desk, `${address}?lesson=08-one-head&lang=en`, true);
  same((await words(desk)).split('\n').pop(), after.split('\n').pop(), 'the sum behind a new beginning');
});

await check('letters that an input method has put together are typed', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=zh`);
  await desk.key('k', 2);
  await words(desk);
  await desk.send('Input.insertText', {text: '复制通往'});
  if (!(await words(desk)).includes('复制通往此处的链接')) throw new Error(await words(desk));
});

await check('the finder copies a link, which leads back', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=en&theme=light&step=6`);
  await desk.run('navigator.clipboard.writeText = async (text) => { window.copied = text; }, 0');
  await desk.key('k', 2);
  await words(desk);
  await desk.send('Input.insertText', {text: 'copy a link'});
  await words(desk);
  await desk.key('Enter');
  await words(desk);
  same(await desk.run('window.copied'),
    `${address}?lesson=08-one-head&step=6&lang=en&theme=light`, 'the link');
});

await check('a lesson dropped on the page opens', async () => {
  await begin(desk, address + '?lang=en');
  await desk.run(`(() => { const data = new DataTransfer();
    data.items.add(new File(['title: Dropped\\ngiven:\\n  X: [[1, 2]]\\nsteps:\\n  - do: Y = X * 3\\n'],
      'mine.yaml'));
    dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})); })()`);
  await desk.until('document.title.includes("Dropped")', 10);
});

await check('keys that stand for nothing are left to the browser', async () => {
  await begin(desk, address + '?lesson=08-one-head&lang=en');
  await desk.run('addEventListener("keydown", (event) => { window.left = !event.defaultPrevented; }), 0');
  await desk.key('r', 2);
  same(await desk.run('window.left'), true, 'Ctrl+R left alone');
  await desk.key('ArrowRight');
  same(await desk.run('window.left'), false, 'Right left alone');
});

await check('a figure in another page has no keys until it is clicked', async () => {
  await begin(desk, address + 'frame').catch(() => {});
  const inside = 'frames[0].document.getElementById("words")?.textContent';
  await desk.until(inside);
  const before = await desk.run(inside);
  await desk.key('ArrowRight');
  same(await desk.run('pressed'), 'ArrowRight', 'what the page around it was told');
  same(await desk.run(inside), before, 'what the figure says');
  await desk.click(450, 20);
  await desk.key('ArrowRight');
  await desk.until(`${inside} !== ${JSON.stringify(before)}`, 10);
});

await check('the lecturer has notes in a window of their own', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=en&step=3&present`);
  await desk.run(`const inside = document.createElement('iframe'), opened = window.open;
    document.body.append(inside);
    window.open = () => Object.assign(inside.contentWindow, {close() { inside.remove(); }}); 0`);
  await desk.key('F5', 8);
  await desk.until('frames[0].document.querySelector("canvas").width > 100', 10);
  await desk.key('F5', 8);
  await desk.until('!document.querySelector("iframe")', 10);
});

await check('one file opens from a disk', async () => {
  await begin(desk, `file://${folder}/glassformer.html?lesson=08-one-head&lang=en&step=1`);
  same(await words(desk), heard('08-one-head', ''), 'what it says');
});

await check('the page had no errors', async () => {
  same(desk.events.filter((event) => event.method === 'Runtime.exceptionThrown')
    .map((event) => event.params.exceptionDetails.exception?.description).join('\n'), '', 'the errors');
});
await desk.close();

// ---- a phone ----

const phone = await openBrowser({width: 844, height: 390, ratio: 2, touch: true});

await check('a finger goes from step to step', async () => {
  await begin(phone, `${address}?lesson=08-one-head&lang=en&step=1`);
  await phone.touch([[[600, 300]], [[500, 300]], [[300, 300]]]);
  same(await words(phone), heard('08-one-head', 'Right'), 'what a stroke to the left leads to');
  await phone.touch([[[300, 300]], [[500, 300]], [[600, 300]]]);
  same(await words(phone), heard('08-one-head', ''), 'what a stroke to the right leads to');
});

await check('two fingers make the page larger, and it stays sharp', async () => {
  const apart = Array.from({length: 20}, (_, i) => [[380 - 6 * i, 200], [420 + 6 * i, 200]]);
  await phone.touch([[[380, 200]], ...apart], 40);
  await phone.until('visualViewport.scale > 1.5', 10);
  await phone.until('document.getElementById("picture").width > 2 * 844', 10);
  same(await words(phone), heard('08-one-head', ''), 'what it says');
});

await check('without a network it opens again', async () => {
  await phone.run('navigator.serviceWorker.ready.then(() => 0)');
  server.close();
  server.closeAllConnections();
  await begin(phone, `${address}?lesson=08-one-head&lang=en&step=2`, true);
  same(await words(phone), heard('08-one-head', 'Right'), 'what it says');
});
await phone.close();

rmSync(work, {recursive: true, force: true});
console.log(`1..${number}`);
process.exit(bad ? 1 : 0);
