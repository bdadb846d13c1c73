import { randomInt } from 'node:crypto'
import { sha256 } from '../../platform/crypto.ts'

const CODES = 10
const GROUPS = 3
const GROUP_LENGTH = 4
/** The characters of backup codes, without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** Creates new codes, as the user sees them. */
export const newBackupCodes = (): readonly string[] => Array.from({ length: CODES }, newCode)

const newCode = (): string => Array.from({ length: GROUPS }, newGroup).join('-')
const newGroup = (): string => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Returns the hash of a code, as it is stored. Users may leave out the hyphens when they type a code. */
export const hashOfBackupCode = (personId: bigint, code: string): string =>
  sha256(`${personId}/${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`).toString('base64url')

/** Whether the input looks like a backup code and not like six digits. */
export const isBackupCode = (code: string): boolean => !/^\d+$/.test(code)
