import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import * as verification from './service.ts'

export function verificationRoutes(serve: Serve, deps: verification.VerificationDeps): void {
  serve(contract.matchBvnDetails, async ({ body }, caller) => ({
    bvn: body.bvn,
    ...(await verification.matchBvnDetails(deps, caller, body)),
  }))

  serve(contract.matchBvnAccount, async ({ body }, caller) => ({
    bvn: body.bvn,
    accountNumber: body.accountNumber,
    ...(await verification.matchBvnAccount(deps, caller, body)),
  }))

  serve(contract.getNinDetails, async ({ body }, caller) => {
    const person = await verification.findNin(deps, caller, body.nin)
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
