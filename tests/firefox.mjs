/* Firefox without a window, with what web.mjs asks of a browser (browser.mjs), driven through a
 * socket of this machine's. Source: Firefox's remote protocol, Marionette. */
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const KEYS = {Shift: '\uE008', Control: '\uE009', ArrowLeft: '\uE012', ArrowUp: '\uE013',
  ArrowRight: '\uE014', ArrowDown: '\uE015', Enter: '\uE006', Escape: '\uE00C',
  Backspace: '\uE003', Tab: '\uE004', F5: '\uE035', End: '\uE010', Home: '\uE011', ' ': ' '};
const HELD = [[2, 'Control'], [8, 'Shift']];

export async function openFirefox({width, height, ratio = 1, touch = false}) {
  const profile = mkdtempSync(join(tmpdir(), 'browser-'));
  const wanted = {'marionette.port': 0, 'ui.prefersReducedMotion': 1,
    'layout.css.devPixelsPerPx': String(ratio), 'dom.w3c_touch_events.enabled': Number(touch),
    'app.normandy.enabled': false, 'services.settings.server': 'data:,'};
  writeFileSync(join(profile, 'user.js'), Object.entries(wanted)
    .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(''));
  const process = spawn('firefox-esr', ['--headless', '--marionette', '--remote-allow-system-access', '--profile',
    profile, 'about:blank'], {stdio: 'ignore', env: {...globalThis.process.env, HOME: profile}});
  const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const told = join(profile, 'MarionetteActivePort');
  for (let i = 0; !existsSync(told) || !readFileSync(told, 'utf8'); i++) {
    if (i === 600) throw new Error('Firefox does not listen');
    await sleep(50);
  }

  const socket = connect(Number(readFileSync(told, 'utf8')), '127.0.0.1');
  const waiting = new Map();
  let number = 0, rest = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let colon; (colon = rest.indexOf(':')) > 0;) {
      const end = colon + 1 + Number(rest.subarray(0, colon));
      if (end > rest.length) return;
      const message = JSON.parse(rest.subarray(colon + 1, end));
      rest = rest.subarray(end);
      if (!Array.isArray(message)) continue; // a greeting
      const answer = waiting.get(message[1]);
      if (message[2]) answer.reject(new Error(message[2].message));
      else answer.resolve(message[3]);
    }
  });
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    waiting.set(++number, {resolve, reject});
    const text = JSON.stringify([0, number, method, params]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
  });

  /* Evaluates an expression, waiting for promises. Uses eval of the driver's global
   * object, because the page's Content-Security-Policy forbids the page's eval. */
  async function run(expression) {
    const {value: [found, trouble]} = await send('WebDriver:ExecuteAsyncScript', {
      script: `const [text, done] = arguments;
        new Promise((come) => come((0, eval)(text))).then((value) => done([value]),
          (error) => done([null, String(error.stack || error)]));`,
      args: [expression], sandbox: null});
    if (trouble) throw new Error(trouble);
    return found ?? undefined;
  }

  async function until(expression, seconds = 60) {
    for (let end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(20))
      if (await run(expression).catch(() => false)) return;
    throw new Error('it never came to be that ' + expression);
  }

  /* In the browser's own rooms. */
  async function inside(script) {
    await send('Marionette:SetContext', {value: 'chrome'});
    const {value} = await send('WebDriver:ExecuteAsyncScript', {script, args: []});
    await send('Marionette:SetContext', {value: 'content'});
    return value;
  }

  const act = (type, id, actions, parameters) =>
    send('WebDriver:PerformActions', {actions: [{type, id, actions, parameters}]});
  const press = (keys) => act('key', 'keys', keys.flatMap(([what, value]) =>
    ({type: what, value: KEYS[value] || value})));

  await send('WebDriver:NewSession');
  const at = await send('WebDriver:SetWindowRect', {width: width * ratio, height: height * ratio});
  const [w, h] = await run('[innerWidth, innerHeight]');
  await send('WebDriver:SetWindowRect', {width: at.width + width - w, height: at.height + height - h});

  return {
    run, until, sleep,
    open: (url) => send('WebDriver:Navigate', {url}),
    clear: (origin) => inside(`Services.clearData.deleteDataFromPrincipal(
      Services.scriptSecurityManager.createContentPrincipalFromOrigin('${origin.replace(/\/$/, '')}'),
      true, Services.clearData.CLEAR_ALL, arguments[0])`),
    errors: () => inside(`arguments[0](Services.console.getMessageArray()
      .filter((error) => error instanceof Ci.nsIScriptError && error.category.includes('content') &&
        !error.flags).map((error) => error.errorMessage).join('\\n'))`),
    async key(key, modifiers = 0) {
      const held = HELD.filter(([bit]) => modifiers & bit).map(([, name]) => name);
      await press([...held, key].map((name) => ['keyDown', name]));
      await press([key, ...held.reverse()].map((name) => ['keyUp', name]));
    },
    insert: (text) => press([...text].flatMap((letter) => [['keyDown', letter], ['keyUp', letter]])),
    click: (x, y) => act('pointer', 'mouse', [{type: 'pointerMove', x, y},
      {type: 'pointerDown', button: 0}, {type: 'pointerUp', button: 0}], {pointerType: 'mouse'}),
    /* One finger. */
    touch: (places) => act('pointer', 'finger', [
      ...places.map(([[x, y]]) => ({type: 'pointerMove', x, y, duration: 20}))
        .toSpliced(1, 0, {type: 'pointerDown', button: 0}),
      {type: 'pointerUp', button: 0}], {pointerType: 'touch'}),
    async picture() {
      return Buffer.from((await send('WebDriver:TakeScreenshot', {full: false})).value, 'base64');
    },
    async close() {
      const ended = new Promise((done) => process.once('exit', done));
      await send('Marionette:Quit', {flags: ['eForceQuit']}).catch(() => {});
      await ended;
      rmSync(profile, {recursive: true, force: true, maxRetries: 5});
    },
  };
}
