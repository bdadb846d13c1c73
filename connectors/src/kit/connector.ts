import type { Kobo } from '@kobo/gateway/kernel/money.ts'
import { kobo } from '@kobo/gateway/kernel/money.ts'
import type { Manifest, OperationName, RequestOf, ResponseTo } from '@kobo/gateway/rails/protocol/index.ts'
import software from '../../package.json' with { type: 'json' }
import type { Connector, ConnectorTools } from '../connector.ts'

/** A connector's operations, typed by the protocol's requests and responses. */
export type Operations = {
  readonly [Name in OperationName]?: (request: RequestOf<Name>) => Promise<ResponseTo<Name>>
}

interface Parts extends Pick<Connector, 'handleCallback' | 'close'> {
  readonly manifest: Manifest
  readonly operations: Operations
}

/** Assembles a connector. An operation in its manifest that it does not implement is unsupported. */
export const connector = ({ manifest, operations, ...others }: Parts): Connector => ({
  manifest,
  carryOut: async (operation, request) => {
    const carry = operations[operation as OperationName] as ((requested: never) => Promise<object>) | undefined
    return (await carry?.(request)) ?? { kind: 'unsupported' }
  },
  ...others,
})

/** Returns a connector's manifest. The connector moves real money, unless the option `test` is set (a test system). */
export const manifestOf = (
  { code, options }: Pick<ConnectorTools, 'code' | 'options'>,
  {
    name,
    ...response
  }: Pick<Manifest, 'capabilities' | 'limits'> & { readonly name: string; readonly trial?: Manifest['trial'] },
): Manifest => ({
  protocol: 2,
  partner: { code, name },
  software: `${software.name} ${software.version}`,
  simulated: options.has('test'),
  capabilities: response.capabilities,
  limits: response.limits,
  // The conformance test sends money, so it may run only on a test system.
  ...(options.has('test') && response.trial !== undefined ? { trial: response.trial } : {}),
})

/** Checks the options of a connector that accepts only `test`. */
export const whyNotOptions = (options: URLSearchParams): string | undefined => {
  const unknown = [...options.keys()].find((name) => name !== 'test')
  return unknown === undefined ? undefined : `there is no option ${unknown}`
}

/** The amount of a request, as money. */
export const amountOf = ({ amount }: { readonly amount: number }): Kobo => kobo(BigInt(amount))

export const UNKNOWN = { kind: 'unknown' } as const
export const notSent = (reason: string) => ({ kind: 'not sent', reason }) as const
/**
 * The outcome of an account opening whose response was lost. No one was shown the number. Money sent to it is returned.
 */
export const GIVEN_UP = { kind: 'refused', reason: 'The bank did not say which number it has opened' } as const
