import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import type { Command } from '../../command.ts'
import { accountOf, openPayment, payInto } from './acts.ts'
import { searchDocs } from './doc-search.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'

type Fields = Readonly<Record<string, unknown>>

/** Something that a model may do in the sandbox. */
interface Tool {
  readonly description: string
  /** Its arguments as JSON Schema, all of them texts or numbers. */
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>
  readonly required: readonly string[]
  readonly run: (remote: Remote, fields: Fields) => Promise<unknown>
}

const EVENTS_MAX = 20
const text = (fields: Fields, name: string): string => String(fields[name] ?? '')

const TOOLS: Readonly<Record<string, Tool>> = {
  open_payment: {
    description: 'Opens a payment and answers its references and the address of its checkout.',
    properties: { amount: { type: 'string', description: 'naira, as 9000 or 99.50' } },
    required: ['amount'],
    run: (remote, fields) => openPayment(remote, text(fields, 'amount')),
  },
  pay: {
    description: 'Pays into the account of an open payment, as its customer would; answers the payment as it is then.',
    properties: {
      transactionReference: { type: 'string', description: 'the payment' },
      amount: { type: 'string', description: 'naira; all that is asked for where it is left out' },
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
    description: 'A payment with its status and what was paid.',
    properties: { transactionReference: { type: 'string', description: 'the payment' } },
    required: ['transactionReference'],
    run: ({ call }, fields) =>
      call(contract.getTransaction, { params: { transactionReference: text(fields, 'transactionReference') } }),
  },
  advance_clock: {
    description: 'Lets business time pass; all that falls due on the way happens. It never goes back.',
    properties: { seconds: { type: 'integer', description: 'from 1 to 31536000' } },
    required: ['seconds'],
    run: ({ call }, fields) => call(contract.advanceClock, { body: { seconds: Number(fields['seconds']) } }),
  },
  read_events: {
    description: 'The newest events with every attempt to deliver them.',
    properties: { reference: { type: 'string', description: 'only those of this payment' } },
    required: [],
    run: ({ call }, { reference }) =>
      call(contract.listEvents, {
        query: { size: EVENTS_MAX, ...(reference === undefined ? {} : { reference: String(reference) }) },
      }),
  },
  read_inbox: {
    description: 'The newest mails: codes, instructions, alerts, reports.',
    properties: {},
    required: [],
    run: ({ call }) => call(contract.readInbox, { query: {} }),
  },
  search_docs: {
    description: 'Parts of the documentation that fit some words.',
    properties: { words: { type: 'string', description: 'what to look for' } },
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

const METHOD_NOT_FOUND = { error: { code: -32_601, message: 'There is no such method' } }

/** Answers one message of the Model Context Protocol; undefined where it wants no answer. */
async function answer({ id, method, params = {} }: Message, remote: Remote): Promise<object | undefined> {
  if (id === undefined) return undefined
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: PROTOCOL,
          capabilities: { tools: {} },
          serverInfo: { name: 'kobo', version: '0.1.0' },
          instructions:
            'A payment gateway’s sandbox with pretend money: open payments, pay them, let time pass, read what was told.',
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
  const said = (value: unknown, isError: boolean): object => ({
    content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
    isError,
  })
  if (tool === undefined) return said(`There is no tool ${name}`, true)
  const missing = tool.required.filter((field) => fields[field] === undefined)
  if (missing.length > 0) return said(`${missing.join(', ')} is required`, true)
  try {
    return said(await tool.run(remote, fields), false)
  } catch (error) {
    return said((error as Error).message, true)
  }
}

export const mcp: Command = {
  prints: 'no data',
  usage: REMOTE_USAGE,
  summary: 'Serves the sandbox to a model by the Model Context Protocol, over standard input and output',
  details: `\nA client starts it as \`npx kobo mcp\`. Its tools open and pay payments, let time pass, read events and mails, and search the documentation.\n${REMOTE_DETAILS}`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: REMOTE_OPTIONS })
    const remote = await connect(around, values)
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue
      const message = parsed(line)
      const reply = message === undefined ? PARSE_ERROR : await answer(message, remote)
      if (reply !== undefined) around.out(`${JSON.stringify({ jsonrpc: '2.0', id: message?.id ?? null, ...reply })}\n`)
    }
    return 0
  },
}

const PARSE_ERROR = { error: { code: -32_700, message: 'This is not JSON' } }

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}
