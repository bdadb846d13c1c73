import { randomInt } from 'node:crypto'
import { sha256 } from '../../platform/crypto.ts'

const CODES = 10
const GROUPS = 3
const GROUP_LENGTH = 4
/** Without those that are taken for one another. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** New codes, as a person writes them down. */
export const newBackupCodes = (): readonly string[] => Array.from({ length: CODES }, newCode)

const newCode = (): string => Array.from({ length: GROUPS }, newGroup).join('-')
const newGroup = (): string => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** How a code stands in the database. Whoever types it may leave out the strokes. */
export const hashOfBackupCode = (personId: bigint, code: string): string =>
  sha256(`${personId}/${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`).toString('base64url')

/** Whether what was typed looks like one, and not like six digits. */
export const isBackupCode = (code: string): boolean => !/^\d+$/.test(code)
