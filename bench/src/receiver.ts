import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook endpoint: returns 200 and counts events, or lets deliveries wait while it is shut. */
let received = 0
let isShut = false
let waiting: ServerResponse[] = []

const respond = (response: ServerResponse): void => {
  received++
  response.end()
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => (isShut ? waiting.push(response) : respond(response)))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on('disconnect', () => process.exit())
process.on('message', (word: 'shut' | 'open' | 'count') => {
  isShut = word === 'count' ? isShut : word === 'shut'
  if (!isShut) {
    for (const response of waiting) respond(response)
    waiting = []
  }
  process.send?.({ received })
})
