import type { IdentityRail, Person, PersonResult } from '../identity.ts'
import { fullName, personOf } from './people.ts'

/** Matches numbers that belong to no one. All others belong to someone. */
const UNKNOWN = /000$/
/** Matches accounts whose bank does not respond. */
const SILENT_BANK = /006$/
/** Match BVNs whose holder is not the account's holder: a stranger, or a relative with another first name. */
const ANOTHER_HOLDER = /001$/
const RELATED_HOLDER = /002$/
/** A name that shares no word with the sandbox's names. */
const STRANGER = 'DORCAS PREYE WHYTE'

/** Opens the sandbox's registers. A BVN and a NIN with the same digits belong to the same person. */
export function simulatedIdentity(): IdentityRail {
  const find = async (digits: string): Promise<PersonResult> =>
    UNKNOWN.test(digits) ? { kind: 'unknown number' } : { kind: 'found', person: personOf(digits) }
  return {
    findBvn: find,
    findNin: find,
    findAccount: async ({ bvn, accountNumber }) => {
      if (UNKNOWN.test(bvn)) return { kind: 'unknown number' }
      if (SILENT_BANK.test(accountNumber)) return { kind: 'unavailable' }
      const holder = personOf(accountNumber)
      const accountName = nameOnAccount(holder)
      if (ANOTHER_HOLDER.test(bvn)) return { kind: 'found', accountName, holderName: STRANGER }
      if (!RELATED_HOLDER.test(bvn)) return { kind: 'found', accountName, holderName: accountName }
      return { kind: 'found', accountName, holderName: nameOnAccount({ ...holder, firstName: 'Wuraola' }) }
    },
  }
}

/** Writes a name as banks do, in capitals. */
const nameOnAccount = (person: Person): string => fullName(person).toUpperCase()
