/* The page around the program: gives it what the visitor does, shows what it draws, keeps
 * its notes. The program (page_window.c) calls the functions of `page`. */
'use strict';
(async () => {
  const canvas = document.getElementById('picture');
  const field = document.getElementById('field');
  const words = document.getElementById('words');
  const context = canvas.getContext('2d', {alpha: false});
  const asked = new URLSearchParams(location.search);
  const embedded = asked.has('embed');
  document.documentElement.classList.toggle('embedded', embedded);
  const KEPT = '/user/glassformer'; // the folder of the notes and of kept lessons
  const MOST_PIXELS = 3840 * 2160;  // where a finger has made the page larger
  const RETRY_AFTER = 3000; // milliseconds
  let program, call, disk; // disk: the program's files

  // ---- the files ----

  const ownFile = (name) => document.getElementById(name);
  const alone = ownFile('program.pack') !== null; // the page has all files itself
  const parsed = new Promise((done) => document.readyState === 'loading' ?
    document.addEventListener('DOMContentLoaded', done) : done());

  function decode(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    return bytes;
  }

  /* A compressed file that the page itself has, else one that lies beside it. */
  async function fetchFile(name) {
    let answer;
    if (alone) {
      if (!ownFile(name)) await parsed;
      answer = new Response(decode(ownFile(name).textContent));
      ownFile(name).remove();
    } else {
      answer = await fetch(name);
      if (!answer.ok) throw new Error(name + ': ' + answer.status);
    }
    return answer.body.pipeThrough(new DecompressionStream('gzip'));
  }

  /* The compiled program, which is compiled as it arrives. */
  async function fetchProgram() {
    const headers = {'Content-Type': 'application/wasm'};
    return WebAssembly.compileStreaming(new Response(await fetchFile('program.pack'), {headers}));
  }

  /* {name: bytes} of a pack: see pack.py. */
  async function fetchPack(name) {
    const bytes = new Uint8Array(await new Response(await fetchFile(name)).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const files = {};
    let at = 4 + length;
    for (const [name, size, step] of JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)))) {
      files[name] = joined(bytes.subarray(at, at + size), step);
      at += size;
    }
    return files;
  }

  /* Bytes of which those that stand `step` apart follow each other. */
  function joined(bytes, step) {
    if (step === 1) return bytes;
    const count = Math.floor(bytes.length / step), whole = new Uint8Array(bytes);
    for (let i = 0; i < count * step; i++) whole[i] = bytes[i % step * count + Math.floor(i / step)];
    return whole;
  }

  function put(FS, path, bytes) {
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    FS.writeFile(path, bytes);
  }

  function putAll(FS, files) {
    for (const [name, bytes] of Object.entries(files)) put(FS, '/data/' + name, bytes);
  }

  // ---- files that are fetched when they are needed ----

  /* {name: null while it is being fetched, true once its files are there, else false} */
  const packs = {};
  let later = [];   // [[pack, lesson's file, name of its weights], …]

  /* Fetches a pack once, and calls a function when its files are there. What can't be had
   * can be asked for again later, when there may be a network. */
  async function need(name, then) {
    if (name in packs) return;
    packs[name] = null;
    words.ariaBusy = true;
    try {
      putAll(disk, await fetchPack(name));
      packs[name] = true;
      then?.();
    } catch {
      packs[name] = false;
      setTimeout(() => { delete packs[name]; wake(); }, RETRY_AFTER);
    }
    clearTimeout(reading);
    reading = setTimeout(readWords);
    wake();
  }

  const isFetching = () => Object.values(packs).includes(null);

  /* The packs of a lesson: its own, and those of weights that its text names. */
  function packsOf(path) {
    const text = disk.readFile(path, {encoding: 'utf8'});
    return later.filter(([, file, weights]) =>
      path.endsWith(file) || (weights && text.includes(weights))).map(([pack]) => pack);
  }

  // ---- what is kept between visits ----

  /* A browser may refuse: then nothing is. */
  function storage() {
    try {
      return window.localStorage;
    } catch {
      return null;
    }
  }

  const kept = {}; // when each file was written last

  function restore(FS) {
    FS.mkdirTree(KEPT);
    for (const name of Object.keys(storage() || {})) {
      if (!name.startsWith(KEPT)) continue;
      put(FS, name, storage().getItem(name));
      kept[name] = FS.stat(name).mtime.getTime();
    }
  }

  function keep(folder = KEPT) {
    const FS = program.FS;
    for (const name of FS.readdir(folder)) {
      const path = folder + '/' + name;
      if (name.startsWith('.') || name.endsWith('.lock') || name.endsWith('.tmp')) continue;
      const status = FS.stat(path);
      if (FS.isDir(status.mode)) {
        keep(path);
      } else if (kept[path] !== status.mtime.getTime()) {
        kept[path] = status.mtime.getTime();
        try {
          storage()?.setItem(path, FS.readFile(path, {encoding: 'utf8'}));
        } catch {
          // it is full, or refused
        }
      }
    }
  }

  /* Another page has written: the program reads it before it writes itself. */
  addEventListener('storage', (event) => {
    if (!program || !event.key?.startsWith(KEPT) || event.newValue === null) return;
    put(program.FS, event.key, event.newValue);
    kept[event.key] = program.FS.stat(event.key).mtime.getTime();
  });

  // ---- turns ----

  const AHEAD_AFTER = 60; // milliseconds without a turn
  let framed = false, timer = 0, reading = 0, resting = 0, away = 0, left = 0;

  function readWords() {
    const text = call.read();
    words.ariaBusy = isFetching();
    if (words.textContent !== text) words.textContent = text;
  }

  function wake() {
    if (framed || !program) return;
    framed = true;
    requestAnimationFrame(turn);
  }

  /* Device pixels: as many as there are, more where a finger has made the page larger. */
  function size() {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const zoom = window.visualViewport ? visualViewport.scale : 1;
    const most = Math.sqrt(MOST_PIXELS / (width * height));
    const scale = Math.max(devicePixelRatio, Math.min(devicePixelRatio * zoom, most));
    return [Math.round(width * scale), Math.round(height * scale)];
  }

  function turn() {
    framed = false;
    clearTimeout(timer);
    clearTimeout(resting);
    const [width, height] = size();
    if (!width || !height) return;
    const wait = call.turn(performance.now() - away, width, height, width / canvas.clientWidth,
      touch);
    drawNotes();
    keep();
    resting = setTimeout(rest, AHEAD_AFTER);
    if (wait < 20) wake();
    else if (isFinite(wait)) timer = setTimeout(wake, wait);
  }

  /* Draws the next page ahead, a part at a time, while nothing happens. */
  function rest() {
    if (!framed && call.ahead()) resting = setTimeout(rest);
  }

  // ---- the lecturer's notes, in a window of their own ----

  let notes = null; // the window; null: they are not wanted

  function drawNotes() {
    const time = new Date();
    if (notes?.closed) {
      call.notesClosed();
      notes = null;
    } else if (notes && notes.innerWidth) {
      const ratio = notes.devicePixelRatio;
      call.notes(Math.round(notes.innerWidth * ratio), Math.round(notes.innerHeight * ratio),
        time.getHours(), time.getMinutes());
    }
  }

  function openNotes() {
    const opened = window.open('', 'notes', 'popup,width=1120,height=700');
    if (!opened) return null; // the browser doesn't allow it
    opened.document.title = 'Glassformer';
    opened.document.body.style.margin = '0';
    const picture = opened.document.createElement('canvas');
    picture.style.cssText = 'position:fixed;left:0;top:0;width:100%;height:100%';
    opened.document.body.replaceChildren(picture);
    opened.document.onkeydown = press;
    opened.onresize = wake;
    return opened;
  }

  setInterval(() => notes && drawNotes(), 1000); // their clock goes on

  /* While nobody sees the page its time stands still. */
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      left = performance.now();
      if (program) call.leave(), keep();
    } else {
      away += performance.now() - left;
      wake();
    }
  });
  addEventListener('pagehide', () => program && (call.leave(), keep()));
  new ResizeObserver(wake).observe(canvas);
  window.visualViewport?.addEventListener('resize', wake);

  // ---- places ----

  let at = {}; // {link, lesson: null at home, returns: by the browser's Back or Forward}

  addEventListener('popstate', () => {
    if (!call) return;
    at = {...at, returns: true};
    call.go(location.search || '?home=');
    wake();
  });

  // ---- what the program asks for ----

  function paint(canvas, context, pixels, width, height) {
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const bytes = new Uint8ClampedArray(program.HEAPU8.buffer, pixels, 4 * width * height);
    context.putImageData(new ImageData(bytes, width, height), 0, 0);
  }

  const page = {
    show(pixels, width, height, title) {
      paint(canvas, context, pixels, width, height);
      document.title = title;
      if (!page.shown) performance.mark('picture');
      page.shown = true;
    },
    /* Fills the screen while the lesson is presented; the browser's own way out of that,
     * Escape, ends presenting, too. */
    present(presents) {
      if (!!presents === page.presents) return;
      page.presents = !!presents;
      if (presents && !document.fullscreenElement) {
        page.filled = true;
        document.documentElement.requestFullscreen?.().catch(() => { page.filled = false; });
      } else if (!presents && page.filled) {
        page.filled = false;
        if (document.fullscreenElement) document.exitFullscreen();
      }
    },
    presents: false,
    filled: false,
    turnNotes(wanted) {
      if (wanted && !notes) {
        notes = openNotes();
        if (!notes) call.notesClosed();
      } else if (!wanted && notes) {
        notes.close();
        notes = null;
      }
    },
    showNotes(pixels, width, height) {
      const picture = notes.document.querySelector('canvas');
      paint(picture, picture.getContext('2d', {alpha: false}), pixels, width, height);
    },
    wake,
    /* The letters that the first pack doesn't have. */
    fetchLetters() {
      need('letters.pack', call?.letters);
    },
    /* Whether all that a lesson reads is there; else it is fetched. */
    fetchLesson(path) {
      const missing = packsOf(path).filter((pack) => !packs[pack]);
      missing.forEach((pack) => need(pack));
      return !missing.length;
    },
    /* Makes the screen reader's text once nothing moves, after the picture. */
    changeWords(moves) {
      words.ariaBusy = true;
      clearTimeout(reading);
      if (!moves) reading = setTimeout(readWords);
    },
    /* The address is that of the step; a lesson is a place that the browser's Back leads
     * back to, while its steps replace each other. */
    follow(link) {
      const shown = new URLSearchParams(link), address = new URLSearchParams(location.search);
      const before = at;
      document.documentElement.lang = shown.get('lang');
      at = {link, lesson: shown.get('lesson')};
      if (embedded || link === before.link) return;
      const pushes = before.link && at.lesson !== before.lesson && !before.returns;
      for (const name of ['lesson', 'step', ...(before.link ? ['cell', 'changes'] : [])])
        if (!shown.has(name)) address.delete(name);
      for (const [name, value] of shown)
        if (address.has(name) || /lesson|step/.test(name)) address.set(name, value);
      const query = address.toString();
      try {
        history[pushes ? 'pushState' : 'replaceState'](null, '',
          query ? '?' + query : location.pathname);
      } catch {
        // a browser refuses too many, and some refuse files
      }
    },
    point(shape) {
      canvas.style.cursor = shape < 0 ? 'none' : ['default', 'pointer', 'text'][shape];
    },
    write(writes) {
      if (!!writes === page.writes) return;
      page.writes = !!writes;
      field.value = '';
      (writes ? field : canvas).focus({preventScroll: true});
    },
    writes: false,
    copy(text) {
      const link = text.startsWith('?') ? location.href.replace(/[?#].*/s, '') + text : text;
      navigator.clipboard?.writeText(link).catch(() => {});
    },
    paste() {
      navigator.clipboard?.readText().then(type, () => {});
    },
    fill() {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen?.();
    },
    /* Gives the visitor a file that the program has written. */
    give(path) {
      const anchor = document.createElement('a');
      anchor.href = URL.createObjectURL(new Blob([program.FS.readFile(path)]));
      anchor.download = path.slice(path.lastIndexOf('/') + 1);
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
    },
  };

  // ---- keys and text ----

  /* SDL's names, which the program's tables have. */
  const named = {
    ArrowRight: 'Right', ArrowLeft: 'Left', ArrowUp: 'Up', ArrowDown: 'Down',
    Enter: 'Return', ' ': 'Space',
  };
  const placed = {
    Minus: '-', Equal: '=', BracketLeft: '[', BracketRight: ']', Semicolon: ';', Quote: "'",
    Backquote: '`', Backslash: '\\', Comma: ',', Period: '.', Slash: '/',
  };

  function nameOf(event) {
    const name = named[event.key] || event.key;
    return name.length === 1 ? name.toUpperCase() : name;
  }

  function placeOf(code) {
    return placed[code] || code.replace(/^(Key|Digit)/, '');
  }

  function type(text) {
    call.type(text);
    wake();
  }

  function press(event) {
    if (embedded && event.key === 'Tab') return; // leads out of the figure
    const ctrl = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
    const letter = event.key.length === 1 && !ctrl;
    const repeats = /^(Arrow|Page|Backspace|Delete|\[|\])/.test(event.key);
    if (!program || event.isComposing || event.keyCode === 229 ||
        (event.altKey && !event.getModifierState('AltGraph')) ||
        /^(Shift|Control|Alt|AltGraph|Meta|Dead|CapsLock)$/.test(event.key) ||
        (event.repeat && !repeats) || (ctrl && event.key.toLowerCase() === 'v') ||
        (page.writes && letter)) {
      if (program) call.spotlight(event.ctrlKey), wake();
      return;
    }
    if (call.key(nameOf(event), placeOf(event.code), ctrl, event.shiftKey))
      event.preventDefault();
    wake();
  }
  document.addEventListener('keydown', press);
  document.addEventListener('fullscreenchange', () => {
    if (page.presents && page.filled && !document.fullscreenElement)
      call.key('Escape', 'Escape', false, false), wake();
  });
  document.addEventListener('keyup', (event) => {
    if (program) call.spotlight(event.ctrlKey), wake();
  });

  /* What an input method has put together, and what a keyboard on the screen types. */
  function take() {
    const text = field.value;
    field.value = '';
    if (program && page.writes && text) type(text);
  }
  field.addEventListener('input', (event) => event.isComposing || take());
  field.addEventListener('compositionend', take);
  field.addEventListener('beforeinput', (event) => {
    if (event.inputType === 'deleteContentBackward' && !field.value)
      call.key('Backspace', 'Backspace', false, false), wake();
  });
  document.addEventListener('paste', (event) => {
    event.preventDefault();
    if (program) type(event.clipboardData.getData('text'));
  });

  // ---- the pointer, fingers ----

  const MOVE = 0, PRESS = 1, RELEASE = 2, DOUBLE = 3, MENU = 4, WHEEL_UP = 5, WHEEL_DOWN = 6,
    TOUCH = 7, TOUCH_MOVE = 8, TOUCH_END = 9, TOUCH_CANCEL = 10;
  const ROLL = 100; // pixels that a wheel's notch is long
  const fingers = new Set();
  let touch = matchMedia('(hover: none) and (pointer: coarse)').matches; // fingers, no mouse
  let rolled = 0;

  function point(what, event) {
    if (!program) return;
    const box = canvas.getBoundingClientRect();
    if (what === TOUCH) call.pass(performance.now() - away); // or all of that were held
    call.point(what, (event.clientX - box.left) / box.width,
      (event.clientY - box.top) / box.height);
    wake();
  }

  canvas.addEventListener('mousedown', (event) => {
    touch = false;
    if (event.button === 0) point(event.detail === 2 ? DOUBLE : PRESS, event);
    if (page.writes) event.preventDefault(); // or the field would lose the keys
  });
  addEventListener('mouseup', (event) => event.button === 0 && point(RELEASE, event));
  addEventListener('mousemove', (event) => {
    if (event.target !== canvas && !event.buttons) return;
    point(MOVE, event);
    if (program) call.spotlight(event.ctrlKey);
  });
  canvas.addEventListener('mouseleave', (event) => {
    if (!event.buttons) point(MOVE, {clientX: -1e4, clientY: -1e4});
  });
  canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    if (event.pointerType !== 'touch') point(MENU, event);
  });
  canvas.addEventListener('wheel', (event) => {
    if (event.ctrlKey || (embedded && !document.hasFocus())) return; // it is the browser's
    event.preventDefault();
    rolled += event.deltaY * (event.deltaMode ? ROLL / 3 : 1);
    for (; Math.abs(rolled) >= ROLL; rolled -= Math.sign(rolled) * ROLL)
      point(rolled < 0 ? WHEEL_UP : WHEEL_DOWN, event);
  }, {passive: false});

  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse') return;
    event.preventDefault(); // no mouse's events besides
    touch = event.pointerType === 'touch';
    fingers.add(event.pointerId);
    point(fingers.size > 1 ? TOUCH_CANCEL : TOUCH, event);
    if (!page.writes) canvas.focus({preventScroll: true});
  });
  canvas.addEventListener('pointermove', (event) => {
    if (fingers.size === 1 && fingers.has(event.pointerId)) point(TOUCH_MOVE, event);
  });
  for (const [name, what] of [['pointerup', TOUCH_END], ['pointercancel', TOUCH_CANCEL]])
    canvas.addEventListener(name, (event) => {
      if (fingers.delete(event.pointerId)) point(fingers.size ? TOUCH_CANCEL : what, event);
    });

  // ---- files dropped on the page ----

  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', async (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    for (const file of files)
      put(program.FS, '/dropped/' + file.name, new Uint8Array(await file.arrayBuffer()));
    const lesson = files.find((file) => /\.ya?ml$/.test(file.name)) || files[0];
    if (lesson) call.drop('/dropped/' + lesson.name);
    wake();
  });

  // ---- beginning ----

  const said = [];

  function fail(text) {
    const trouble = document.getElementById('trouble');
    trouble.textContent = text;
    trouble.hidden = false;
  }

  function wanted() {
    const args = [];
    if (embedded) args.push('--fresh'); // a figure is the same for everyone
    if (embedded || asked.has('present')) args.push('--present');
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) args.push('--reduced-motion');
    if (['lesson', 'lang', 'theme'].some((key) => asked.has(key))) args.push(location.search);
    return args;
  }

  /* Whether the first picture is one with Chinese. */
  function beginsInChinese() {
    let kept;
    try {
      kept = JSON.parse(storage().getItem(KEPT + '/memory.json')).language;
    } catch {
      // nothing is kept
    }
    return /^zh/.test(asked.get('lang') || (!embedded && kept) || navigator.language);
  }

  function prepare(module, files) {
    disk = module.FS;
    putAll(module.FS, files);
    module.FS.mkdirTree('/pictures');
    restore(module.FS);
    Object.assign(module.ENV, {
      GLASSFORMER_CACHE: '/data/cache', GLASSFORMER_DATA: '/data', XDG_DATA_HOME: '/user',
      XDG_PICTURES_DIR: '/pictures',
      LANG: navigator.language.replace('-', '_'),
    });
  }

  try {
    const first = ['glassformer.pack', ...(beginsInChinese() ? ['letters.pack'] : [])];
    const [compiled, ...fetched] = await Promise.all([fetchProgram(), ...first.map(fetchPack)]);
    const {'later.json': list, ...files} = Object.assign({}, ...fetched);
    later = JSON.parse(new TextDecoder().decode(list));
    for (const name of first) packs[name] = true;
    performance.mark('files');
    const module = await Glassformer({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(compiled, imports).then(done, (error) => fail(String(error)));
        return {};
      },
      page, preRun: [(module) => prepare(module, files)],
      print: (line) => said.push(line), printErr: (line) => said.push(line),
    });
    call = {
      key: module.cwrap('page_key', 'boolean', ['string', 'string', 'boolean', 'boolean']),
      type: module.cwrap('page_type', null, ['string']),
      point: module.cwrap('page_point', null, ['number', 'number', 'number']),
      spotlight: module.cwrap('page_spotlight', null, ['boolean']),
      drop: module.cwrap('page_drop', null, ['string']),
      pass: module.cwrap('page_pass', null, ['number']),
      go: module.cwrap('page_go', null, ['string']),
      read: module.cwrap('page_read_words', 'string', []),
      letters: module.cwrap('page_letters', null, []),
      turn: module.cwrap('page_turn', 'number',
        ['number', 'number', 'number', 'number', 'boolean']),
      notes: module.cwrap('page_notes', null, ['number', 'number', 'number', 'number']),
      notesClosed: module.cwrap('page_notes_closed', null, []),
      ahead: module.cwrap('page_ahead', 'boolean', []),
      leave: module.cwrap('page_leave', null, []),
    };
    performance.mark('program');
    const status = module.callMain(wanted());
    if (status) throw new Error(said.join('\n'));
    performance.mark('start');
    program = module;
    if (!embedded) canvas.focus();
    wake();
    // No service worker on loopback, because another program may use the address next.
    if (!embedded && location.protocol !== 'file:' &&
        !/^(localhost\.?|127\.[\d.]+|\[::1\])$/.test(location.hostname))
      navigator.serviceWorker?.register('offline.js').catch(() => {});
  } catch (error) {
    fail(error.message || String(error));
  }
})();
