import type { Core } from '../core/core.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { absentRails } from '../rails/absent.ts'
import { ADAPTER, httpRails } from '../rails/http/index.ts'
import type { Rails } from '../rails/index.ts'
import {
  type AccessControl,
  SIMULATED,
  simulatedAccessControl,
  simulatedBook,
  simulatedRails,
} from '../rails/simulated/index.ts'

/** The rails in use. */
export interface OpenedRails {
  readonly rails: Rails
  /** What the partner behind them is called; `none` where there is none. */
  readonly partner: () => string
  /** The simulated issuer's, in the sandbox. */
  readonly accessControl?: AccessControl
  readonly closeRails: () => void
}

/** The adapter's rails where one is named; else those of the sandbox, or none. */
export function openRails({ db, clock, wall }: Core, config: Config, log: Log): OpenedRails {
  const { environment, railsUrl, railsSecret, railsSecretAlso, railsProtocol } = config
  if (railsUrl !== undefined && railsSecret !== undefined) {
    const { rails, partner, close } = httpRails({
      url: railsUrl,
      secret: railsSecret,
      secretAlso: railsSecretAlso,
      protocol: railsProtocol,
      wall,
      log,
    })
    return { rails, partner: () => partner() ?? ADAPTER, closeRails: close }
  }
  if (environment === 'sandbox') {
    const world = { clock, book: simulatedBook(db) }
    return {
      rails: simulatedRails(world),
      partner: () => SIMULATED,
      accessControl: simulatedAccessControl(world),
      closeRails: () => {},
    }
  }
  return { rails: absentRails, partner: () => 'none', closeRails: () => {} }
}
