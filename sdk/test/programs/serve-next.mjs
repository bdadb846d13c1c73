// Serves the route handlers of the Next.js sample in the current folder, without Next.js.
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const load = (path) => import(pathToFileURL(join(process.cwd(), 'app', path, 'route.js')).href)
const [buy, events, orders, order] = await Promise.all(['buy', 'events', 'orders', 'orders/[reference]'].map(load))
const routes = [
  [/^\/buy$/, buy],
  [/^\/events$/, events],
  [/^\/orders$/, orders],
  [/^\/orders\/([\w-]+)$/, order],
]

const server = createServer(async (request, reply) => {
  const { method, url, headers } = request
  const [path, route] = routes.find(([pattern]) => pattern.test(url)) ?? []
  const handle = route?.[method]
  if (handle === undefined) return reply.writeHead(404).end()
  try {
    const body = method === 'GET' ? undefined : await buffer(request)
    const response = await handle(new Request(`http://shop${url}`, { method, headers, body }), {
      params: Promise.resolve({ reference: path.exec(url)[1] }),
    })
    reply.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  } catch {
    reply.writeHead(500).end() // as Next.js does
  }
}).listen(Number(process.env['PORT']), '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
