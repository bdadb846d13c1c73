import type { Kobo } from '@kobo/gateway/kernel/money.ts'
import { kobo } from '@kobo/gateway/kernel/money.ts'
import type { AnswerTo, AskedBy, Manifest, OperationName } from '@kobo/gateway/rails/protocol/index.ts'
import software from '../../package.json' with { type: 'json' }
import type { Connector, ConnectorTools } from '../connector.ts'

/** What a connector does, by operation: each gets what the protocol lets it be asked, and answers what that allows. */
export type Operations = {
  readonly [Name in OperationName]?: (asked: AskedBy<Name>) => Promise<AnswerTo<Name>>
}

interface Parts extends Pick<Connector, 'hear' | 'close'> {
  readonly manifest: Manifest
  readonly operations: Operations
}

/** A connector of its parts. What its manifest allows and it does not do is unsupported. */
export const connector = ({ manifest, operations, ...others }: Parts): Connector => ({
  manifest,
  carryOut: async (operation, asked) => {
    const carry = operations[operation as OperationName] as ((asked: never) => Promise<object>) | undefined
    return (await carry?.(asked)) ?? { kind: 'unsupported' }
  },
  ...others,
})

/** What a connector says of itself: real money moves behind it, unless the operator says that it is the partner's sandbox. */
export const manifestOf = (
  { code, options }: Pick<ConnectorTools, 'code' | 'options'>,
  {
    name,
    ...said
  }: Pick<Manifest, 'capabilities' | 'limits'> & { readonly name: string; readonly trial?: Manifest['trial'] },
): Manifest => ({
  protocol: 2,
  partner: { code, name },
  software: `${software.name} ${software.version}`,
  simulated: options.has('test'),
  capabilities: said.capabilities,
  limits: said.limits,
  // At trial money is sent: only where it is nobody's.
  ...(options.has('test') && said.trial !== undefined ? { trial: said.trial } : {}),
})

/** The options that every connector to a partner takes. */
export const whyNotOptions = (options: URLSearchParams): string | undefined => {
  const unknown = [...options.keys()].find((name) => name !== 'test')
  return unknown === undefined ? undefined : `there is no ${unknown}`
}

/** An amount as it travels, as money. */
export const amountOf = ({ amount }: { readonly amount: number }): Kobo => kobo(BigInt(amount))

export const UNKNOWN = { kind: 'unknown' } as const
export const notSent = (reason: string) => ({ kind: 'not sent', reason }) as const
/** An opening of an account that nobody can be asked about: its number was shown to nobody, and what comes to it goes back. */
export const GIVEN_UP = { kind: 'refused', reason: 'The bank did not say which number it has opened' } as const
