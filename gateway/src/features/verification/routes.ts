import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import * as verification from './service.ts'

export function verificationRoutes(serve: Serve, deps: verification.VerificationDeps): void {
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
