import { readFileSync } from 'node:fs'
import {
  type Client,
  client,
  type Input,
  logIn,
  type RefusalCode,
  Refused,
  type Reply,
  type Route,
} from '@kobo/contract'
import type { Credentials } from '@kobo/gateway/features/sandbox/index.ts'
import { type CommandContext, UsageError } from '../../command.ts'
import { ownCredentials } from './own-credentials.ts'

export { REMOTE_DETAILS, REMOTE_USAGE } from './own-credentials.ts'

/** A sandbox merchant's connection to the API, on this machine or another. */
export interface Remote {
  readonly credentials: Credentials
  readonly call: <R extends Route>(route: R, input: Input<R>) => Promise<Reply<R>>
}

export const REMOTE_OPTIONS = { merchant: { type: 'string' }, credentials: { type: 'string' } } as const

const TOKEN_REFUSALS: readonly (RefusalCode | undefined)[] = ['EXPIRED_TOKEN', 'INVALID_TOKEN']

/** Connects as the merchant in the options. */
export async function connect(
  context: CommandContext,
  values: { readonly merchant?: string | undefined; readonly credentials?: string | undefined },
): Promise<Remote> {
  const file = values.credentials ?? (values.merchant === undefined ? context.env['KOBO_CREDENTIALS'] : undefined)
  if (file !== undefined && values.merchant !== undefined)
    throw new UsageError('Use either --merchant or --credentials, not both.')
  const credentials = file === undefined ? await ownCredentials(context, values.merchant) : readFile(file)
  let merchant = await loggedIn(credentials)
  return {
    credentials,
    call: async (route, input) => {
      try {
        return await merchant.call(route, input)
      } catch (error) {
        if (!(error instanceof Refused)) throw unreachable(credentials, error)
        if (!TOKEN_REFUSALS.includes(error.code)) throw error
        merchant = await loggedIn(credentials) // tokens expire after an hour
        return merchant.call(route, input)
      }
    },
  }
}

const FIELDS = ['baseUrl', 'apiKey', 'secretKey', 'contractCode', 'walletAccountNumber'] as const

function readFile(path: string): Credentials {
  let found: Readonly<Record<string, unknown>>
  try {
    found = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`Cannot read ${path} as JSON: ${(error as Error).message}`)
  }
  const missing = FIELDS.filter((name) => typeof found?.[name] !== 'string')
  if (missing.length > 0)
    throw new UsageError(
      `${path} is missing ${missing.join(', ')}. It must hold the output of "./kobo credentials" where the sandbox runs.`,
    )
  return found as unknown as Credentials // all fields are checked above
}

async function loggedIn(credentials: Credentials): Promise<Client> {
  const { baseUrl } = credentials
  try {
    const { accessToken: token } = await logIn({ baseUrl }, credentials)
    return client({ baseUrl, token })
  } catch (error) {
    if (error instanceof Refused) throw error
    throw unreachable(credentials, error)
  }
}

const unreachable = ({ baseUrl }: Credentials, cause: unknown): Error =>
  new Error(`Cannot reach the gateway at ${baseUrl}. Start it with "npm start".`, { cause })
