/** Keeps the page that checks receipts and the public keys, so that receipts can be checked offline. */

const CACHE = 'receipts'
const FILES = ['/receipt', '/.well-known/kobo-receipt-keys.json']

// The types of the DOM library do not describe service workers.
interface WorkerEvent extends Event {
  readonly request: Request
  readonly waitUntil: (work: Promise<unknown>) => void
  readonly respondWith: (response: Promise<Response>) => void
}
interface ServiceWorkerScope {
  readonly skipWaiting: () => Promise<void>
  readonly clients: { readonly claim: () => Promise<void> }
  readonly addEventListener: (name: string, listener: (event: WorkerEvent) => void) => void
}
const worker = self as unknown as ServiceWorkerScope

export {} // makes this file a module, so that its names are not global

worker.addEventListener('install', (event) =>
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  ),
)
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

/** Responds with the stored file at once, and stores a fresh one for the next time. */
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const path = new URL(request.url).pathname
  if (request.method !== 'GET' || !FILES.includes(path)) return
  const fresh = fetch(request).then(async (response) => {
    if (response.ok) await (await caches.open(CACHE)).put(path, response.clone())
    return response
  })
  event.waitUntil(fresh.catch(() => {}))
  event.respondWith(request.cache === 'reload' ? fresh : caches.match(path).then((stored) => stored ?? fresh))
})
