/* Chromium without a window, driven through its own pipe: no library is needed.
 * Source: the Chrome DevTools protocol. */
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/* A browser with one page of `width` × `height` CSS pixels; `touch`: a phone's. */
export async function openBrowser({width, height, ratio = 1, touch = false}) {
  const profile = mkdtempSync(join(tmpdir(), 'browser-'));
  const process = spawn('chromium', ['--headless', '--no-sandbox', '--remote-debugging-pipe',
    '--disable-gpu', '--no-first-run', '--user-data-dir=' + profile, 'about:blank'],
    {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
  const waiting = new Map(), events = [];
  let number = 0, rest = '';
  process.stdio[4].setEncoding('utf8');
  process.stdio[4].on('data', (text) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      const answer = waiting.get(message.id);
      waiting.delete(message.id);
      if (!answer) events.push(message);
      else if (message.error) answer.reject(new Error(message.error.message));
      else answer.resolve(message.result);
    }
  });
  const ask = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
    waiting.set(++number, {resolve, reject});
    process.stdio[3].write(JSON.stringify({id: number, method, params, sessionId}) + '\0');
  });
  const {targetId} = await ask('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await ask('Target.attachToTarget', {targetId, flatten: true});
  const send = (method, params) => ask(method, params, sessionId);
  await send('Page.enable');
  await send('Runtime.enable');
  await send('Emulation.setDeviceMetricsOverride',
    {width, height, deviceScaleFactor: ratio, mobile: touch});
  await send('Emulation.setEmulatedMedia',
    {features: [{name: 'prefers-reduced-motion', value: 'reduce'}]});
  if (touch) await send('Emulation.setTouchEmulationEnabled', {enabled: true});

  /* What an expression comes to in the page; waits for promises. */
  async function run(expression) {
    const {result, exceptionDetails} = await send('Runtime.evaluate',
      {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  /* Waits until an expression holds. */
  async function until(expression, seconds = 60) {
    for (let end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(20))
      if (await run(expression).catch(() => false)) return;
    throw new Error('it never came to be that ' + expression);
  }

  const codes = {ArrowRight: 39, ArrowLeft: 37, ArrowUp: 38, ArrowDown: 40, Enter: 13,
    Escape: 27, Backspace: 8, Tab: 9, F5: 116, End: 35, Home: 36, '.': 190};

  return {
    send, run, until, sleep, events,
    open: (url) => send('Page.navigate', {url}),
    /* Forgets what is kept of an origin. */
    clear: (origin) => send('Storage.clearDataForOrigin', {origin, storageTypes: 'all'}),
    errors: () => events.filter((event) => event.method === 'Runtime.exceptionThrown')
      .map((event) => event.params.exceptionDetails.exception?.description).join('\n'),
    /* As an input method does. */
    insert: (text) => send('Input.insertText', {text}),
    async key(key, modifiers = 0) {
      const text = key.length === 1 && !(modifiers & 2) ? key : undefined;
      const code = key.length === 1 && /[a-z]/i.test(key) ? 'Key' + key.toUpperCase() : key;
      const virtual = codes[key] || key.toUpperCase().charCodeAt(0);
      const event = {key, code, modifiers, windowsVirtualKeyCode: virtual};
      await send('Input.dispatchKeyEvent', {type: text ? 'keyDown' : 'rawKeyDown', text, ...event});
      await send('Input.dispatchKeyEvent', {type: 'keyUp', ...event});
    },
    async mouse(type, x, y, more = {}) {
      await send('Input.dispatchMouseEvent', {type, x, y, ...more});
    },
    async click(x, y, clickCount = 1) {
      const more = {button: 'left', clickCount};
      await send('Input.dispatchMouseEvent', {type: 'mousePressed', x, y, ...more});
      await send('Input.dispatchMouseEvent', {type: 'mouseReleased', x, y, ...more});
    },
    /* Fingers put down, moved and lifted: lists of [x, y], so many milliseconds apart. */
    async touch(places, pause = 0) {
      const sent = [];
      let down = 0;
      for (const fingers of places) {
        const type = fingers.length > down ? 'touchStart' : 'touchMove';
        down = fingers.length;
        sent.push(send('Input.dispatchTouchEvent',
          {type, touchPoints: fingers.map(([x, y], id) => ({x, y, id}))}));
        await sleep(pause);
      }
      await Promise.all([...sent, send('Input.dispatchTouchEvent',
        {type: 'touchEnd', touchPoints: []})]);
    },
    async picture() {
      const {data} = await send('Page.captureScreenshot', {format: 'png'});
      return Buffer.from(data, 'base64');
    },
    async close() {
      const ended = new Promise((done) => process.once('exit', done));
      await ask('Browser.close').catch(() => {});
      await ended;
      rmSync(profile, {recursive: true, force: true, maxRetries: 5});
    },
  };
}
