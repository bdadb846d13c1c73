import { hash } from 'node:crypto'
import type { Person } from '../identity.ts'

const FIRST_NAMES = {
  FEMALE: [
    'Adaeze',
    'Amina',
    'Bisola',
    'Chiamaka',
    'Ebele',
    'Folake',
    'Halima',
    'Ifeoma',
    'Ngozi',
    'Temitope',
    'Zainab',
  ],
  MALE: ['Babajide', 'Chukwuemeka', 'Emeka', 'Femi', 'Ibrahim', 'Kelechi', 'Musa', 'Obinna', 'Segun', 'Tunde', 'Yusuf'],
} as const
const LAST_NAMES = [
  'Abubakar',
  'Adeyemi',
  'Balogun',
  'Bello',
  'Danjuma',
  'Eze',
  'Ibekwe',
  'Lawal',
  'Nwosu',
  'Obi',
  'Ogunleye',
  'Okafor',
  'Okonkwo',
  'Oladipo',
  'Sanni',
  'Uche',
] as const
const MOBILE_PREFIXES = ['803', '805', '809', '814', '703', '907'] as const
const BIRTH_YEAR_FIRST = 1960
const BIRTH_YEARS = 45
const MONTHS = 12
/** Every month has at least this many days. */
const DAYS = 28

/** The newest people. They are cached, because every transfer to an account looks up its holder. */
const known = new Map<string, Person>()
const KNOWN_MAX = 1_000

/** Returns a fictional person, who is always the same for the same seed. */
export function personOf(seed: string): Person {
  const person = known.get(seed) ?? personFrom(seed)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(seed, person)
  return person
}

function personFrom(seed: string): Person {
  const bytes = hash('sha256', seed, 'buffer')
  const pick = <T>(list: readonly T[], place: number): T => list[(bytes[place] ?? 0) % list.length] as T
  const gender = pick(['FEMALE', 'MALE'] as const, 0)
  const firstName = pick(FIRST_NAMES[gender], 1)
  const middleName = pick(
    FIRST_NAMES[gender].filter((name) => name !== firstName),
    2,
  )
  const year = BIRTH_YEAR_FIRST + (bytes.readUInt8(4) % BIRTH_YEARS)
  const digits = (bytes.readUInt32BE(8) % 10_000_000).toString().padStart(7, '0')
  return {
    firstName,
    middleName,
    lastName: pick(LAST_NAMES, 3),
    dateOfBirth: `${year}-${two((bytes.readUInt8(5) % MONTHS) + 1)}-${two((bytes.readUInt8(6) % DAYS) + 1)}`,
    gender,
    mobileNumber: `234${pick(MOBILE_PREFIXES, 7)}${digits}`,
  }
}

const two = (n: number): string => `${n}`.padStart(2, '0')

/** Writes the name as a register prints it. */
export const fullName = ({ firstName, middleName, lastName }: Person): string =>
  [firstName, middleName, lastName].filter((part) => part !== null).join(' ')
