// A webhook endpoint in Node.js without packages: KOBO_SECRET_KEY=… node webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'

const { KOBO_SECRET_KEY = '', PORT = '3000' } = process.env
if (KOBO_SECRET_KEY === '') throw new Error('KOBO_SECRET_KEY is missing') // anyone can sign with an empty key

function isGenuine(body, signature) {
  const expected = createHmac('sha512', KOBO_SECRET_KEY).update(body).digest()
  const given = Buffer.from(String(signature), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // the raw body, before parsing
  if (!isGenuine(body, request.headers['service-signature'])) return response.writeHead(401).end()
  const { eventType, eventData } = JSON.parse(body)
  console.log('received', eventType, eventData.paymentReference ?? '')
  response.writeHead(200).end()
})
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening on', server.address().port))
