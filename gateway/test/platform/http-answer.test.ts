import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { answerReader, BadAnswer, type HttpAnswer } from '../../src/platform/http-answer.ts'
import { openQuickPost } from '../../src/platform/quick-post.ts'

const BOUNDS = { keptLengthMax: 100, bodyLengthMax: 1_000 }
const HEAD = 'HTTP/1.1 200 OK\r\n'

/** What is read of an answer that comes in parts of so many bytes, after which the connection is closed. */
function read(text: string, partLength: number): string {
  const reader = answerReader(BOUNDS)
  const bytes = Buffer.from(text)
  try {
    for (let at = 0; at < bytes.length; at += partLength) {
      const answer = reader.push(bytes.subarray(at, at + partLength))
      if (answer !== undefined) return told(answer)
    }
    const answer = reader.close()
    return answer === undefined ? 'nothing' : told(answer)
  } catch (error) {
    assert.ok(error instanceof BadAnswer)
    return 'bad'
  }
}

const told = ({ status, body, keepsAlive, isCutShort }: HttpAnswer): string =>
  `${status} ${body.length > 20 ? body.length : body}${keepsAlive ? '' : ', closed'}${isCutShort ? ', cut short' : ''}`

for (const [what, text, expected] of [
  ['a length', `${HEAD}Content-Length: 2\r\n\r\nok`, '200 ok'],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n', '204 '],
  ['an empty body', `${HEAD}content-length: 0\r\n\r\n`, '200 '],
  ['chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1;a=b\r\n!\r\n0\r\n\r\n`, '200 ok!'],
  ['chunks and a trailer', `${HEAD}transfer-encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n`, '200 ok'],
  ['no length', `${HEAD}\r\nok`, '200 ok, closed'],
  ['a wish to close', `${HEAD}connection: close\r\ncontent-length: 2\r\n\r\nok`, '200 ok, closed'],
  ['an old version', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', '200 ok, closed'],
  ['an announcement before it', `HTTP/1.1 100 Continue\r\n\r\n${HEAD}content-length: 2\r\n\r\nok`, '200 ok'],
  ['a header that every object has', `${HEAD}__proto__: x\r\ncontent-length: 2\r\n\r\nok`, '200 ok'],
  ['an end that is missing', `${HEAD}content-length: 3\r\n\r\nok`, '200 ok, closed, cut short'],
  ['a chunk without its end', `${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n`, '200 ok, closed, cut short'],
  ['more than anybody reads', `${HEAD}\r\n${'x'.repeat(5_000)}`, '200 100, closed'],
  ['a length and chunks', `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, 'bad'],
  ['another coding', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n`, 'bad'],
  ['two lengths', `${HEAD}content-length: 2\r\ncontent-length: 2\r\n\r\nok`, 'bad'],
  ['a length with a sign', `${HEAD}content-length: +2\r\n\r\nok`, 'bad'],
  ['a chunk without a size', `${HEAD}transfer-encoding: chunked\r\n\r\n\r\nok\r\n0\r\n\r\n`, 'bad'],
  ['a chunk of more than its size', `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n`, 'bad'],
  ['lines that end with LF alone', `${HEAD}a: b\nc: d\r\ncontent-length: 2\r\n\r\nok`, 'bad'],
  ['a line that goes on', `${HEAD}a: b\r\n c\r\ncontent-length: 2\r\n\r\nok`, 'bad'],
  ['a space before the colon', `${HEAD}content-length : 2\r\n\r\nok`, 'bad'],
  ['announcements without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), 'bad'],
  ['another version', 'HTTP/2 200 OK\r\n\r\n', 'bad'],
  ['no head', '', 'nothing'],
] as const)
  test(`an answer with ${what} is the same in whatever parts it comes`, () => {
    const unused = text.startsWith(`${HEAD}\r\nxx`) ? [5_100, 4_000] : [text.length + 1, 1, 3]
    for (const partLength of unused) assert.equal(read(text, partLength), expected, `in parts of ${partLength}`)
  })

test('a connection is used again, but not one that said more than it was asked for', async (t) => {
  const answers = ['ok', 'ok', 'oktoo much', 'ok']
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    socket.on('data', () => socket.write(`${HEAD}content-length: 2\r\n\r\n${answers.shift()}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { post, close } = openQuickPost({ allowPrivate: true })
  t.after(() => {
    close()
    server.close()
  })
  const seen: number[] = []
  for (const _ of [1, 2, 3, 4]) {
    const { status, bodyExcerpt } = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, '{}', {})
    assert.deepEqual([status, bodyExcerpt], [200, 'ok'])
    seen.push(connections)
  }
  assert.deepEqual(seen, [1, 1, 1, 2])
})
