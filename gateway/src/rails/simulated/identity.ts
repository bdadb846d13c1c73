import type { IdentityRail, Person, PersonAnswer } from '../identity.ts'
import { fullName, personOf } from './people.ts'

/** Numbers that nobody has. All others belong to somebody. */
const UNKNOWN = /000$/
/** Accounts whose bank does not answer. */
const SILENT_BANK = /006$/
/** BVNs whose holder is another than the account's, or has another first name. */
const ANOTHER_HOLDER = /001$/
const RELATED_HOLDER = /002$/
/** No name of the sandbox's people is in it. */
const STRANGER = 'DORCAS PREYE WHYTE'

/**
 * The sandbox's registers. A BVN and a NIN of the same digits are the same person, so `findNin` shows what a match with
 * the BVN needs.
 */
export function simulatedIdentity(): IdentityRail {
  const find = async (digits: string): Promise<PersonAnswer> =>
    UNKNOWN.test(digits) ? { kind: 'unknown number' } : { kind: 'found', person: personOf(digits) }
  return {
    findBvn: find,
    findNin: find,
    findAccount: async ({ bvn, accountNumber }) => {
      if (UNKNOWN.test(bvn)) return { kind: 'unknown number' }
      if (SILENT_BANK.test(accountNumber)) return { kind: 'unavailable' }
      const holder = personOf(accountNumber)
      const accountName = onAccount(holder)
      if (ANOTHER_HOLDER.test(bvn)) return { kind: 'found', accountName, holderName: STRANGER }
      if (!RELATED_HOLDER.test(bvn)) return { kind: 'found', accountName, holderName: accountName }
      return { kind: 'found', accountName, holderName: onAccount({ ...holder, firstName: 'Wuraola' }) }
    },
  }
}

/** Banks write names in capitals. */
const onAccount = (person: Person): string => fullName(person).toUpperCase()
