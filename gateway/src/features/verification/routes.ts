import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/http/index.ts'
import type { Environment } from '../../platform/config.ts'
import type { IdentityRail } from '../../rails/identity.ts'
import * as verification from './service.ts'

interface Deps {
  readonly core: Core
  readonly rails: { readonly identity: IdentityRail }
  readonly environment: Environment
}

export function verificationRoutes(serve: Serve, { core, rails, environment }: Deps): void {
  const deps: verification.VerificationDeps = { core, rail: rails.identity, charges: environment === 'live' }

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
