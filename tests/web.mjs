/* The program in browsers, driven as a visitor would, and held against the one that has a
 * window. Prints TAP.
 *
 *   node tests/web.mjs PROGRAM WEB_FOLDER [BROWSER]      (chromium, firefox-esr)
 *
 * WEB_FOLDER is what app/web/build.sh makes; $GLASSFORMER_SAMPLE: every how manyth lesson is
 * stepped through, and session played. */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {openBrowser} from './browser.mjs';
import {openFirefox} from './firefox.mjs';

const [program, folder] = process.argv.slice(2, 4).map((path) => resolve(path));
const isFirefox = process.argv[4] === 'firefox-esr';
const open = isFirefox ? openFirefox : openBrowser;
const sample = Number(process.env.GLASSFORMER_SAMPLE || 1);
const work = mkdtempSync(join(tmpdir(), 'web-'));
const environment = {...process.env, HOME: work, XDG_DATA_HOME: work, LC_ALL: 'C.UTF-8'};
let number = 0, bad = 0;

const native = (...args) => execFileSync(program, args,
  {env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28});

const [WIDTH, HEIGHT] = [1280, 800];
const CTRL = 2; // of a key's modifiers

/* What the program reads aloud where keys have led. */
const heard = (lesson, keys) =>
  native('play', lesson, '--ask', '--reduced-motion', '--keys', keys, '--say').trim();

/* The pictures that Ctrl+S among the keys saves, one after the other; not home's, which in a
 * window shows what was seen, too. */
function saved(lesson, keys) {
  const folder = mkdtempSync(join(work, 'saved-'));
  native('play', lesson, '--ask', '--reduced-motion', '--keys', keys, '--size', `${WIDTH}x${HEIGHT}`,
    '--out', folder);
  const when = (path) => statSync(path, {bigint: true}).mtimeNs;
  return readdirSync(folder).filter((name) => name !== 'glassformer.png')
    .map((name) => join(folder, name)).sort((a, b) => when(a) < when(b) ? -1 : 1).map((path) => readFileSync(path));
}

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

function sameBytes(found, wanted, what) {
  if (!found.equals(wanted)) throw new Error(`${what}: the picture is another`);
}

// ---- the page ----

const frame = `<body style="margin:0"><iframe width="900" height="500" src="/?embed&lesson=08-one-head&step=3">
  </iframe><button>behind it</button><script>pressed = ''; onkeydown = (event) => pressed += event.key</script>`;

const requests = []; // "HOST/PATH" of each
const server = createServer((request, response) => {
  const path = request.url.replace(/[?].*/, '');
  requests.push(request.headers.host + path);
  if (path === '/frame') return response.end(frame);
  const name = path.slice(1) || 'index.html';
  response.setHeader('Content-Type', path === '/' ? 'text/html' :
    name.endsWith('.js') ? 'text/javascript' : 'application/octet-stream');
  if (!readdirSync(join(folder, 'site')).includes(name)) response.writeHead(404).end();
  else response.end(readFileSync(join(folder, 'site', name)));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;
/* The same server under a host name that the page doesn't take for loopback. */
const named = address.replace('127.0.0.1', 'glassformer.localhost');
/* The same server under another name of loopback. */
const local = address.replace('127.0.0.1', 'localhost');

/* Opens an address, with the browser's storage cleared unless `keeps`, and waits until
 * `place` has its picture. */
async function begin(browser, url, keeps = false, place = 'window') {
  await browser.open('about:blank');
  await browser.until('location.href === "about:blank"');
  if (!keeps) await browser.clear(address);
  await browser.open(url);
  await browser.until(`${place}.performance.getEntriesByName("picture").length > 0`);
  await browser.until(`${place}.document.getElementById("words").ariaBusy !== "true"`);
}

/* What is read aloud, once nothing moves. */
async function words(browser) {
  await browser.run(`new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)))`);
  await browser.until('document.getElementById("words").ariaBusy !== "true"');
  return browser.run('document.getElementById("words").textContent.trim()');
}

/* The bytes of the picture that Ctrl+S gives the visitor. */
async function given(browser) {
  await browser.run(`window.given = new Promise((done) => {
    URL.createObjectURL = (blob) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result.replace(/.*,/, ''));
      reader.readAsDataURL(blob);
      return 'data:,';
    };
  }); 0`);
  await browser.key('s', CTRL);
  return Buffer.from(await browser.run('window.given'), 'base64');
}

const desk = await open({width: WIDTH, height: HEIGHT});

for (const [index, line] of native('list').trim().split('\n').entries()) {
  const [lesson, steps] = line.split(/\s+/);
  if (index % sample && lesson !== '08-one-head') continue;
  await check(`${lesson} goes from step to step as it does in a window`, async () => {
    await begin(desk, `${address}?lesson=${lesson}&lang=en&step=1`);
    const pictures = saved(`?lesson=${lesson}&lang=en&step=1`, Array(Number(steps)).fill('Ctrl+S').join(' Right '));
    for (let step = 1; step <= Number(steps); step++) {
      if (step > 1) await desk.key('ArrowRight');
      same(await words(desk), heard(lesson, Array(step - 1).fill('Right').join(' ')),
        `what ${lesson} says on ${step}`);
      sameBytes(await given(desk), pictures[step - 1], `${lesson} on ${step}`);
    }
  });
}

// ---- sessions ----

/* What may be pressed, as the browser and the program name it. */
const pressed = [['ArrowRight', 'Right'], ['ArrowRight', 'Right'], ['ArrowLeft', 'Left'],
  ['ArrowDown', 'Down'], ['ArrowUp', 'Up'], ['Enter', 'Return'], ['Escape', 'Escape'],
  ['Backspace', 'Backspace'], ['Tab', 'Tab'], ['End', 'End'], ['Home', 'Home'],
  ...'pgtlomuchw3.'.split('').map((letter) => [letter, letter.toUpperCase()])];

for (let session = 1; session <= 50; session += sample) {
  let seed = session;
  const next = (count) => (seed = seed * 48271 % 0x7fffffff) % count;
  const lesson = 1 + next(28);
  const keys = Array.from({length: 24}, () => pressed[next(pressed.length)]);
  const names = keys.map(([, name]) => name).join(' ');
  const link = `?lesson=${lesson}&lang=en&theme=light&step=2`;
  await check(`session ${session} ends as it does in a window`, async () => {
    await begin(desk, address + link);
    for (const [key] of keys) {
      await desk.key(key);
      await words(desk);
    }
    same(await words(desk), heard(link, names), `what is said after ${names}`);
    const [picture] = saved(link, names + ' Ctrl+S').slice(-1);
    if (picture) sameBytes(await given(desk), picture, `the picture after ${names}`);
  });
}

await check('a saved picture has the same bytes, and is what the canvas shows', async () => {
  const link = '?lesson=08-one-head&lang=zh&theme=dark&step=8';
  await begin(desk, address + link);
  await words(desk);
  const bytes = await given(desk), picture = bytes.toString('base64');
  sameBytes(bytes, saved(link, 'Ctrl+S')[0], 'the lesson in Chinese');
  // Around the stage the page has more to click than a picture.
  same(await desk.run(`(async () => {
    const file = new Blob([Uint8Array.from(atob('${picture}'), (letter) => letter.charCodeAt(0))]);
    const context = new OffscreenCanvas(${WIDTH}, ${HEIGHT}).getContext('2d');
    context.drawImage(await createImageBitmap(file), 0, 0);
    const [a, b] = [document.getElementById('picture').getContext('2d'), context].map((context) =>
      context.getImageData(0, 200, ${WIDTH}, 400).data);
    return a.length + ' ' + a.findIndex((value, i) => value !== b[i]); })()`),
  `${4 * WIDTH * 400} -1`, 'where the stage differs');
});

await check('a cell is changed by typing, and the change is there again', async () => {
  const keys = 'C Enter Ctrl+A Type:5 Enter';
  await begin(desk, `${address}?lesson=08-one-head&lang=en&step=1`);
  for (const [key, held] of [['c', 0], ['Enter', 0], ['a', 2], ['5', 0], ['Enter', 0]]) {
    await desk.key(key, held);
    await words(desk);
  }
  const after = await words(desk);
  same(after, heard('08-one-head', keys), 'what is said then');
  await desk.run('dispatchEvent(new Event("pagehide")), 0');
  await begin(desk, `${address}?lesson=08-one-head&lang=en`, true);
  same((await words(desk)).split('\n').pop(), after.split('\n').pop(), 'the sum behind a new beginning');
});

await check("a link's changes are a visit until the reader edits", async () => {
  const own = `${address}?lesson=08-one-head&lang=en&step=1`, changes = '&changes={cell:+[X,+0,+1],+value:+3}';
  const link = '?lesson=08-one-head&lang=en&step=1' + changes, keys = 'C Enter Ctrl+A Type:5 Enter';
  await begin(desk, own + changes);
  const shown = await words(desk);
  same(shown, heard(link, ''), 'what the link says');
  await desk.run('dispatchEvent(new Event("pagehide")), 0');
  await begin(desk, own, true);
  const before = await words(desk);
  same(before, heard('08-one-head', ''), 'what the lesson says after the visit');
  if (shown === before) throw new Error('the link changes nothing');

  await begin(desk, own + changes, true);
  for (const [key, held] of [['c', 0], ['Enter', 0], ['a', 2], ['5', 0], ['Enter', 0]]) {
    await desk.key(key, held);
    await words(desk);
  }
  const after = await words(desk);
  same(after, heard(link, keys), 'what is said after an edit');
  await desk.run('dispatchEvent(new Event("pagehide")), 0');
  await begin(desk, own, true);
  same((await words(desk)).split('\n').pop(), after.split('\n').pop(), 'the sum of the edited visit');
});

await check('letters that an input method has put together are typed', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=zh`);
  await desk.key('k', 2);
  await words(desk);
  await desk.insert('复制通往');
  if (!(await words(desk)).includes('复制通往此处的链接')) throw new Error(await words(desk));
});

await check('the finder copies a link, which leads back', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=en&theme=light&step=6`);
  await desk.run('navigator.clipboard.writeText = async (text) => { window.copied = text; }, 0');
  await desk.key('k', 2);
  await words(desk);
  await desk.insert('copy a link');
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
  await begin(desk, address + 'frame', false, 'frames[0]');
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

await check('Tab leads out of a figure, which shows that it has the keys', async () => {
  await begin(desk, address + 'frame', false, 'frames[0]');
  const outline = 'frames[0].getComputedStyle(frames[0].document.activeElement).outlineStyle';
  await desk.key('Tab');
  await desk.until(`document.activeElement.tagName === "IFRAME"`, 10);
  same(await desk.run(outline), 'solid', 'the outline of the figure');
  await desk.key('Tab');
  await desk.until('document.activeElement.tagName === "BUTTON"', 10);
});

const search = () => desk.run('location.search');

/* Waits for an address, and returns the text that is then read aloud. */
async function arrived(query) {
  await desk.until(`location.search === ${JSON.stringify(query)}`, 10);
  return words(desk);
}

await check('the address follows the step; Back and Forward lead from lesson to lesson', async () => {
  await begin(desk, address + '?lang=en');
  const home = await words(desk);
  same(await search(), '?lang=en', 'the address of home');
  await desk.key('ArrowRight');
  await arrived('?lang=en&lesson=40-the-whole-path&step=1');
  await desk.key('ArrowRight', CTRL);
  await arrived('?lang=en&lesson=00-map&step=1');

  await desk.run('history.back(), 0');
  same(await arrived('?lang=en&lesson=40-the-whole-path&step=1'), heard('40-the-whole-path', ''),
    'what Back leads to');
  await desk.run('history.back(), 0');
  const said = await arrived('?lang=en');
  if (said.split('\n')[0] !== home.split('\n')[0]) throw new Error(said);
  await desk.run('history.go(2), 0');
  same(await arrived('?lang=en&lesson=00-map&step=1'), heard('00-map', ''), 'what Forward leads to');

  await begin(desk, address + '?lang=en&lesson=01-tokens');
  await desk.key('ArrowRight');
  await arrived('?lang=en&lesson=01-tokens&step=2');
  await begin(desk, address + await search(), true);
  same(await words(desk), heard('01-tokens', 'Right'), 'what the page says when it is loaded again');
});

await check("the page's language is its document's", async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=zh`);
  same(await desk.run('document.documentElement.lang'), 'zh', 'the language');
  await desk.key('l');
  await desk.until('document.documentElement.lang === "en"', 10);
  same(await search(), '?lesson=08-one-head&lang=en&step=1', 'the address');
});

/* A digest of the canvas, and its size. */
const canvasState = `(async () => {
  const canvas = document.getElementById('picture'), {width, height} = canvas;
  const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
  const digest = await crypto.subtle.digest('SHA-256', data);
  return width + ' ' + height + ' ' + new Uint8Array(digest).join(); })()`;

if (!isFirefox) await check("the browser's zoom lays the page out anew", async () => {
  const metrics = (zoom) => desk.send('Emulation.setDeviceMetricsOverride',
    {width: WIDTH / zoom, height: HEIGHT / zoom, deviceScaleFactor: zoom, mobile: false});
  await begin(desk, `${address}?lesson=08-one-head&lang=en&step=3`);
  const before = await desk.run(canvasState);
  await metrics(2);
  await desk.until(`devicePixelRatio === 2`, 10);
  await words(desk);
  const after = await desk.run(canvasState);
  await metrics(1);
  same(after.split(' ').slice(0, 2).join(), `${WIDTH},${HEIGHT}`, 'the size of the canvas');
  if (after === before) throw new Error('the page is as it was');
});

await check('a lesson fetches its weights when it is opened, and letters when they are shown', async () => {
  requests.length = 0;
  await begin(desk, address + '?lang=en');
  const fetched = () => requests.filter((request) => request.endsWith('.pack'))
    .map((request) => request.replace(/.*\//, '')).sort().join();
  same(fetched(), 'glassformer.pack,program.pack', 'what is fetched for the first picture');
  await begin(desk, `${address}?lesson=38-type-anything&lang=en&step=1`);
  same(await words(desk), heard('38-type-anything', ''), 'what the lesson says');
  if (!fetched().includes('38-type-anything.pack')) throw new Error(fetched());
  if (fetched().includes('letters.pack')) throw new Error(fetched());
});

async function turnNotes() {
  await desk.key('k', 2);
  await words(desk);
  await desk.insert('your notes in a window');
  await words(desk);
  await desk.key('Enter');
}

await check('the lecturer has notes in a window of their own', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=en&step=3&present`);
  await desk.run(`const inside = document.createElement('iframe'), opened = window.open;
    document.body.append(inside);
    window.open = () => Object.assign(inside.contentWindow, {close() { inside.remove(); }}); 0`);
  await turnNotes();
  await desk.until('frames[0].document.querySelector("canvas").width > 100', 10);
  await turnNotes();
  await desk.until('!document.querySelector("iframe")', 10);
});

/* Adds code and requests to another origin to the page, in every way that could run or
 * send them. The value is the list of ways whose code ran. */
const inject = `(async () => {
  window.ran = [];
  const script = (way) => "parent.ran.push('" + way + "')";
  const box = document.createElement('div');
  document.body.append(box);
  box.insertAdjacentHTML('beforeend', \`
    <img src="data:," onerror="\${script('onerror')}">
    <button onclick="\${script('onclick')}"></button>
    <details open ontoggle="\${script('ontoggle')}"></details>
    <a href="javascript:\${script('link')}"></a>
    <iframe src="javascript:\${script('frame')}"></iframe>
    <iframe srcdoc="<script>\${script('srcdoc')}</script>"></iframe>
    <img src="${named}stolen-img">
    <link rel="stylesheet" href="${named}stolen-link">
    <style>@import "${named}stolen-import"; #words { background: url("${named}stolen-style") }</style>
    <iframe src="${named}stolen-iframe"></iframe>
    <object data="${named}stolen-object"></object>
    <video src="${named}stolen-video"></video>
    <iframe name="hidden"></iframe>
    <form action="${named}stolen-form" target="hidden"><input type="submit"></form>\`);
  for (const pressed of box.querySelectorAll('button, a, input')) pressed.click();
  const add = (more) => box.append(Object.assign(document.createElement('script'), more));
  add({textContent: script('text')});
  add({src: 'data:text/javascript,' + script('data')});
  add({src: URL.createObjectURL(new Blob([script('blob')]))});
  add({src: '${named}stolen-script'});
  fetch('${named}stolen-fetch', {mode: 'no-cors'}).catch(() => {});
  navigator.sendBeacon('${named}stolen-beacon');
  new EventSource('${named}stolen-events').onerror = (event) => event.target.close();
  await new Promise((done) => setTimeout(done, 1000));
  box.remove();
  return ran; })()`;

async function injectNothing(browser) {
  const ran = await browser.run(inject);
  same([...ran, ...requests.filter((request) => request.includes('/stolen'))].join(' '), '',
    'what was run and asked');
}

await check('injected script does not run, and asks no other server', async () => {
  await begin(desk, `${address}?lesson=08-one-head&lang=en&step=1`);
  await injectNothing(desk);
});

await check("markup in a lesson's texts stays text", async () => {
  await begin(desk, local + '?lang=en');
  await desk.run(`(() => { const data = new DataTransfer();
    const bad = '<img src=x onerror=window.ran=1><script>window.ran=1</script>';
    data.items.add(new File(['title: "Dropped ' + bad + '"\\ngiven:\\n  X: [[1, 2]]\\nsteps:\\n' +
      '  - do: Y = X * 3\\n    heading: "' + bad + '"\\n    say: "' + bad + '"\\n'], bad + '.yaml'));
    dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})); })()`);
  await desk.until('document.title.includes("Dropped <img")', 10);
  await words(desk);
  same(await desk.run('document.querySelectorAll("#words *, img").length + typeof ran'),
    '0undefined', 'the elements made of it');
});

await check('one file opens from a disk', async () => {
  await begin(desk, `file://${folder}/glassformer.html?lesson=08-one-head&lang=en&step=1`);
  same(await words(desk), heard('08-one-head', ''), 'what it says');
  await injectNothing(desk);
});

await check('the page had no errors', async () => {
  same(await desk.errors(), '', 'the errors');
});
await desk.close();

// ---- a phone ----

const phone = await open({width: 844, height: 390, ratio: 2, touch: true});

await check('a finger goes from step to step', async () => {
  await begin(phone, `${address}?lesson=08-one-head&lang=en&step=1`);
  await phone.touch([[[600, 300]], [[500, 300]], [[300, 300]]]);
  same(await words(phone), heard('08-one-head', 'Right'), 'what a stroke to the left leads to');
  await phone.touch([[[300, 300]], [[500, 300]], [[600, 300]]]);
  same(await words(phone), heard('08-one-head', ''), 'what a stroke to the right leads to');
});

await check('a phone on its side has a bar of four', async () => {
  await begin(phone, `${address}?lesson=08-one-head&lang=en&step=1`);
  const press = (button) => phone.touch([[[844 - 32, (button + 0.5) * 390 / 4]]], 30);
  await phone.sleep(1000); // none of which the finger is down
  await press(2);
  await phone.until('document.title.includes("Step 2 ")', 10);
  same(await words(phone), heard('08-one-head', 'Right'), 'what Next leads to');
  await press(1);
  await phone.until('document.title.includes("Step 1 ")', 10);
  same(await words(phone), heard('08-one-head', ''), 'what Back leads to');
  await press(0);
  await phone.until('document.title === "Glassformer"', 10);
});

if (!isFirefox) await check('two fingers make the page larger, and it stays sharp', async () => {
  await begin(phone, `${address}?lesson=08-one-head&lang=en&step=1`);
  const apart = Array.from({length: 20}, (_, i) => [[380 - 6 * i, 200], [420 + 6 * i, 200]]);
  await phone.touch([[[380, 200]], ...apart], 40);
  await phone.until('visualViewport.scale > 1.5', 10);
  await phone.until('document.getElementById("picture").width > 2 * 844', 10);
  same(await words(phone), heard('08-one-head', ''), 'what it says');
});

const upright = await open({width: 390, height: 844, ratio: 2, touch: true});

if (!isFirefox) await check('an upright phone has a bar of four at the bottom, and names no keys', async () => {
  await begin(upright, `${address}?lesson=08-one-head&lang=en&step=1`);
  const press = (button) => upright.touch([[[(button + 0.5) * 390 / 4, 844 - 28]]]);
  await press(2);
  await upright.until('document.title.includes("Step 2 ")', 10);
  same(await words(upright), heard('08-one-head', 'Right'), 'what Next leads to');
  await press(1);
  await upright.until('document.title.includes("Step 1 ")', 10);
  same(await words(upright), heard('08-one-head', ''), 'what Back leads to');
  await press(3);
  await upright.until('/Glossary/.test(document.getElementById("words").textContent)', 10);
  const more = await words(upright);
  if (!/Type size/.test(more) || /Ctrl|Esc|Shift/.test(more)) throw new Error(more);
  await upright.key('Escape');
  await upright.key('?');
  const help = await words(upright);
  if (!/swipe/.test(help) || /Ctrl|Esc|Shift|mouse/i.test(help)) throw new Error(help);
  await upright.key('Escape');
  await press(0);
  await upright.until('document.title === "Glassformer"', 10);
  const home = await words(upright);
  if (/Ctrl|Esc|→/.test(home)) throw new Error(home);
});
await upright.close();

await check('without a network it opens again', async () => {
  await begin(phone, `${named}?lesson=08-one-head&lang=en&step=1`);
  await phone.run('navigator.serviceWorker.ready.then(() => 0)');
  server.close();
  server.closeAllConnections();
  await begin(phone, `${named}?lesson=08-one-head&lang=en&step=2`, true);
  same(await words(phone), heard('08-one-head', 'Right'), 'what it says');
});

await check('no page on loopback stays for when there is no network', async () => {
  same(requests.filter((request) => request.endsWith('/offline.js')).join(),
    named.replace('http://', '') + 'offline.js', 'what asked for the service worker');
});
await phone.close();

rmSync(work, {recursive: true, force: true});
console.log(`1..${number}`);
process.exit(bad ? 1 : 0);
