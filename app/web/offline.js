/* Keeps the page's files for when there is no network. Others than these have another
 * version (pack.py): they take their place when no page is open any more. */
'use strict';
const VERSION = 'glassformer-{{VERSION}}';

addEventListener('install', (event) => event.waitUntil(
  caches.open(VERSION).then((kept) => kept.addAll(['./', {{FILES}}]))));

addEventListener('activate', (event) => event.waitUntil(caches.keys().then((names) =>
  Promise.all(names.filter((name) => name.startsWith('glassformer-') && name !== VERSION)
    .map((name) => caches.delete(name))))));

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(VERSION)
    .then((kept) => kept.match(event.request, {ignoreSearch: true}))
    .then((answer) => answer || fetch(event.request)));
});
