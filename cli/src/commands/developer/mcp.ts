import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { type Command, print } from '../../command.ts'
import { PROGRAM } from '../../program.ts'
import { searchDocs } from './doc-search.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'
import { accountOf, openPayment, payInto } from './sandbox-actions.ts'

type Fields = Readonly<Record<string, unknown>>

/** A tool that an AI model can call in the sandbox. */
interface Tool {
  readonly description: string
  /** The arguments as JSON Schema. */
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>
  readonly required: readonly string[]
  readonly run: (remote: Remote, fields: Fields) => Promise<unknown>
}

const EVENTS_MAX = 20
const text = (fields: Fields, name: string): string => String(fields[name] ?? '')

const TOOLS: Readonly<Record<string, Tool>> = {
  open_payment: {
    description: 'Creates a payment. Returns its references and checkout URL.',
    properties: { amount: { type: 'string', description: 'Naira, such as 9000 or 99.50' } },
    required: ['amount'],
    run: (remote, fields) => openPayment(remote, text(fields, 'amount')),
  },
  pay: {
    description: 'Pays an open payment by bank transfer, as the customer. Returns the updated payment.',
    properties: {
      transactionReference: { type: 'string', description: 'The payment' },
      amount: { type: 'string', description: 'Naira; defaults to the amount due' },
    },
    required: ['transactionReference'],
    run: async (remote, fields) => {
      const transactionReference = text(fields, 'transactionReference')
      const account = await accountOf(remote, transactionReference)
      await payInto(remote, account, fields['amount'] === undefined ? undefined : text(fields, 'amount'))
      return remote.call(contract.getTransaction, { params: { transactionReference } })
    },
  },
  get_payment: {
    description: 'Returns a payment with its status and the amount paid.',
    properties: { transactionReference: { type: 'string', description: 'The payment' } },
    required: ['transactionReference'],
    run: ({ call }, fields) =>
      call(contract.getTransaction, { params: { transactionReference: text(fields, 'transactionReference') } }),
  },
  advance_clock: {
    description: 'Moves the sandbox clock forward and runs everything scheduled until then. The clock never goes back.',
    properties: { seconds: { type: 'integer', description: '1 to 31536000' } },
    required: ['seconds'],
    run: ({ call }, fields) => call(contract.advanceClock, { body: { seconds: Number(fields['seconds']) } }),
  },
  read_events: {
    description: 'Returns the newest webhook events with every delivery attempt.',
    properties: { reference: { type: 'string', description: 'Only events of this payment' } },
    required: [],
    run: ({ call }, { reference }) =>
      call(contract.listEvents, {
        query: { size: EVENTS_MAX, ...(reference === undefined ? {} : { reference: String(reference) }) },
      }),
  },
  read_inbox: {
    description: 'Returns the newest mails: codes, instructions, alerts, reports.',
    properties: {},
    required: [],
    run: ({ call }) => call(contract.readInbox, { query: {} }),
  },
  search_docs: {
    description: 'Searches the documentation.',
    properties: { words: { type: 'string', description: 'Search words' } },
    required: ['words'],
    run: async (_, fields) => searchDocs(text(fields, 'words')),
  },
}

const PROTOCOL = '2025-06-18'

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Fields
}

const METHOD_NOT_FOUND = { error: { code: -32_601, message: 'Unknown method' } }

/** Handles one message of the Model Context Protocol; returns undefined for notifications. */
async function reply({ id, method, params = {} }: Message, remote: Remote): Promise<object | undefined> {
  if (id === undefined) return undefined
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: PROTOCOL,
          capabilities: { tools: {} },
          serverInfo: { name: 'kobo', version: '0.1.0' },
          instructions:
            'A payment gateway’s sandbox with test money: create payments, pay them, move the clock, read events and mails.',
        },
      }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return {
        result: {
          tools: Object.entries(TOOLS).map(([name, { description, properties, required }]) => ({
            name,
            description,
            inputSchema: { type: 'object', properties, required },
          })),
        },
      }
    case 'tools/call':
      return { result: await callTool(remote, String(params['name']), (params['arguments'] ?? {}) as Fields) }
    default:
      return METHOD_NOT_FOUND
  }
}

async function callTool(remote: Remote, name: string, fields: Fields): Promise<object> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  const content = (value: unknown, isError: boolean): object => ({
    content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
    isError,
  })
  if (tool === undefined) return content(`Unknown tool ${name}`, true)
  const missing = tool.required.filter((field) => fields[field] === undefined)
  if (missing.length > 0) return content(`${missing.join(', ')} is required`, true)
  try {
    return content(await tool.run(remote, fields), false)
  } catch (error) {
    return content((error as Error).message, true)
  }
}

/** The configuration of an MCP client. All paths are absolute, because clients run in other folders and without a PATH. */
function configurationOf({
  merchant,
  credentials,
}: {
  readonly merchant?: string
  readonly credentials?: string
}): object {
  const program = fileURLToPath(new URL('../../../bin/kobo.js', import.meta.url))
  const options = Object.entries({ merchant, credentials: credentials && resolve(credentials) })
  const args = [
    program,
    'mcp',
    ...options.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ]
  return { mcpServers: { kobo: { command: process.execPath, args } } }
}

export const mcp: Command = {
  prints: 'no data',
  usage: `[--print-config] ${REMOTE_USAGE}`,
  summary: 'Runs an MCP server for the sandbox on standard input and output, for AI coding tools',
  details: `
Its tools open and pay payments, move the clock forward, read events and mails, and search the documentation.
--print-config prints the configuration to paste into your AI coding tool. It works from any folder:

  ${PROGRAM} mcp --print-config > ~/my-shop/.mcp.json
${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const options = { ...REMOTE_OPTIONS, 'print-config': { type: 'boolean' } } as const
    const { values } = parseArgs({ args, options })
    if (values['print-config'] === true) {
      print(context, configurationOf(values))
      return 0
    }
    const remote = await connect(context, values)
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue
      const message = parsed(line)
      const response = message === undefined ? PARSE_ERROR : await reply(message, remote)
      if (response !== undefined)
        context.out(`${JSON.stringify({ jsonrpc: '2.0', id: message?.id ?? null, ...response })}\n`)
    }
    return 0
  },
}

const PARSE_ERROR = { error: { code: -32_700, message: 'Invalid JSON' } }

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}
