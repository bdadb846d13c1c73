import * as contract from '@kobo/contract'
import type { Serve } from '../../core/http/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Environment } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import type { IdentityRail } from '../../rails/identity.ts'
import * as verification from './service.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly rails: { readonly identity: IdentityRail }
  readonly environment: Environment
  readonly pokeDelivery: () => void
}

export function verificationRoutes(serve: Serve, { db, clock, ids, rails, environment, pokeDelivery }: Deps): void {
  const charges = environment === 'live'
  const deps: verification.VerificationDeps = { db, clock, ids, rail: rails.identity, charges, pokeDelivery }

  serve(contract.matchBvnDetails, async ({ body }, { merchant }) => ({
    bvn: body.bvn,
    ...(await verification.matchBvnDetails(deps, merchant, body)),
  }))

  serve(contract.matchBvnAccount, async ({ body }, { merchant }) => ({
    bvn: body.bvn,
    accountNumber: body.accountNumber,
    ...(await verification.matchBvnAccount(deps, merchant, body)),
  }))

  serve(contract.getNinDetails, async ({ body }, { merchant }) => {
    const person = await verification.findNin(deps, merchant, body.nin)
    return {
      nin: body.nin,
      lastName: person.lastName,
      firstName: person.firstName,
      middleName: person.middleName,
      dateOfBirth: person.dateOfBirth,
      gender: person.gender,
      mobileNumber: person.mobileNumber,
    }
  })
}
