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
import { type Credentials, readCredentials } from '@kobo/gateway/app/demo.ts'
import { type Surroundings, UsageError, withCore } from '../../command.ts'

/** A sandbox merchant as a caller of the API, here or elsewhere. */
export interface Remote {
  readonly credentials: Credentials
  readonly call: <R extends Route>(route: R, input: Input<R>) => Promise<Reply<R>>
}

/** Who calls: options of every command that does. */
export const REMOTE_OPTIONS = { merchant: { type: 'string' }, credentials: { type: 'string' } } as const
export const REMOTE_USAGE = '[--merchant CODE | --credentials FILE]'
export const REMOTE_DETAILS = `
--credentials names a file that holds what \`kobo credentials\` prints, and so works with a gateway anywhere; KOBO_CREDENTIALS may
name it too. Without it, it is the gateway of this checkout, and --merchant one of its merchants; the first, where it is left out.
`

const TOKEN_REFUSALS: readonly (RefusalCode | undefined)[] = ['EXPIRED_TOKEN', 'INVALID_TOKEN']

/** Connects as the merchant that the options name. */
export async function connect(
  around: Surroundings,
  values: { readonly merchant?: string | undefined; readonly credentials?: string | undefined },
): Promise<Remote> {
  const file = values.credentials ?? (values.merchant === undefined ? around.env['KOBO_CREDENTIALS'] : undefined)
  if (file !== undefined && values.merchant !== undefined)
    throw new UsageError('Either --merchant or --credentials, not both.')
  const credentials = file === undefined ? await ownCredentials(around, values.merchant) : readFile(file)
  let merchant = await loggedIn(credentials)
  return {
    credentials,
    call: async (route, input) => {
      try {
        return await merchant.call(route, input)
      } catch (error) {
        if (!(error instanceof Refused)) throw unreachable(credentials, error)
        if (!TOKEN_REFUSALS.includes(error.code)) throw error
        merchant = await loggedIn(credentials) // a token is good for an hour only
        return merchant.call(route, input)
      }
    },
  }
}

async function ownCredentials(around: Surroundings, code: string | undefined): Promise<Credentials> {
  const credentials = await withCore(around, ({ core, config, baseUrl }) => {
    if (config.environment !== 'sandbox') throw new UsageError('This works in the sandbox only.')
    return readCredentials(core, baseUrl, code)
  })
  if (credentials === undefined) throw new UsageError('There is no such merchant: merchant list shows the codes.')
  return credentials
}

const FIELDS = ['baseUrl', 'apiKey', 'secretKey', 'contractCode', 'walletAccountNumber'] as const

function readFile(path: string): Credentials {
  let found: Readonly<Record<string, unknown>>
  try {
    found = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`${path} cannot be read as JSON: ${(error as Error).message}`)
  }
  const missing = FIELDS.filter((name) => typeof found?.[name] !== 'string')
  if (missing.length > 0)
    throw new UsageError(`${path} lacks ${missing.join(', ')}: it should be as kobo credentials prints it.`)
  return found as unknown as Credentials // each field has been looked at
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
  new Error(`The gateway does not answer at ${baseUrl}: start it with npm start.`, { cause })
