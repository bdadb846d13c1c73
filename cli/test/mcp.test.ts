import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { aGateway, commandsWith } from './commands.ts'

test('the MCP server starts from its printed configuration in any folder, creates and pays a payment, moves the clock, reads events and searches the docs', async (t) => {
  const { shop } = await aGateway(t)
  const file = join(ownFolder('credentials'), 'keys.json')
  writeFileSync(file, JSON.stringify(shop.credentials))
  const { mcpServers } = await commandsWith({}).prints('mcp', '--print-config', '--credentials', relative('.', file))
  const { command, args } = mcpServers.kobo
  // As a client starts it: in another folder, without a PATH.
  const cwd = join(ownFolder('elsewhere'), 'far/below/the/root')
  mkdirSync(cwd, { recursive: true })
  const child = spawn(command, args, { cwd, env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const { stdin, stdout } = child
  const lines = createInterface({ input: stdout })
  let requestCount = 0
  // biome-ignore lint/suspicious/noExplicitAny: any JSON response
  const request = async (method: string, params: object = {}): Promise<any> => {
    const answered = once(lines, 'line')
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++requestCount, method, params })}\n`)
    const [line] = await Promise.race([answered, ended.then(() => assert.fail('the server has ended'))])
    const { id, ...rest } = JSON.parse(String(line))
    assert.equal(id, requestCount)
    return rest
  }
  const use = async (name: string, args: object = {}) => {
    const { content, isError } = (await request('tools/call', { name, arguments: args })).result
    return { isError, text: content[0].text as string }
  }

  assert.equal((await request('initialize', { protocolVersion: '2025-06-18' })).result.serverInfo.name, 'kobo')
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  assert.equal((await request('tools/list')).result.tools.length, 7)
  const { transactionReference } = JSON.parse((await use('open_payment', { amount: '2500' })).text)
  assert.equal(JSON.parse((await use('pay', { transactionReference })).text).paymentStatus, 'PAID')
  assert.match((await use('read_events', { reference: transactionReference })).text, /SUCCESSFUL_TRANSACTION/)
  assert.equal((await use('advance_clock', { seconds: 60 })).isError, false)
  assert.match((await use('search_docs', { words: 'verify signature webhook' })).text, /webhooks\.md/)
  assert.deepEqual(await use('pay'), { isError: true, text: 'transactionReference is required' })
  assert.match((await use('get_payment', { transactionReference: 'nobody' })).text, /Could not find/)
  assert.equal((await request('resources/list')).error.code, -32_601)
  stdin.end()
  assert.equal((await ended)[0], 0)
})
