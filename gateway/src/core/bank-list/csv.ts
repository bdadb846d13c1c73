import { CsvError, type CsvRecord, readRecords } from '../../platform/formats/csv.ts'
import type { Bank } from './bank.ts'

/** Why a change to the banks is rejected. */
export class BankError extends Error {}

/** All banks are kept in memory, so their number is limited. */
export const BANKS_MAX = 2_000
/** Larger than any file with the maximum number of banks. */
export const FILE_BYTES_MAX = 512 * 1_024

export const HEADER = 'code,name,baseUssdCode,ussdTemplate,nipBankCode,transfers,directDebit,offered'
const COLUMNS = HEADER.split(',').length

const CODE = /^\d{3,6}$/
const NAME = /^[^\s,\p{Cc}](?:[^,\p{Cc}]{0,58}[^\s,\p{Cc}])?$/u
const BASE_USSD_CODE = /^\*\d{2,8}#$/
const USSD_TEMPLATE = /^(?:\*(?:\d{1,8}|Amount|AccountNumber)){1,8}#$/
const NIP_BANK_CODE = /^\d{6}$/

/** A line of the file: a bank, and whether it can be chosen. */
export type BankLine = Omit<Bank, 'disabledAt'> & { readonly isOffered: boolean }

/** Reads banks from a file, one per line. Rejects the whole file if one is invalid. */
export function readBanks(text: string): readonly BankLine[] {
  if (text.length > FILE_BYTES_MAX) throw new BankError(`The file may have at most ${FILE_BYTES_MAX} bytes.`)
  const [header, ...lines] = recordsOf(text.trimEnd())
  if (header?.cells.join(',') !== HEADER) throw new BankError(`The first line must be ${HEADER}`)
  if (lines.length > BANKS_MAX) throw new BankError(`There are at most ${BANKS_MAX} banks.`)
  const banks = lines.map(readLine)
  const codes = new Set<string>()
  for (const { code } of banks) {
    if (codes.has(code)) throw new BankError(`${code} is listed twice in the file.`)
    codes.add(code)
  }
  return banks
}

function recordsOf(text: string): readonly CsvRecord[] {
  try {
    return [...readRecords(text)]
  } catch (error) {
    throw error instanceof CsvError ? new BankError(error.message) : error
  }
}

function readLine({ start: { number }, cells }: CsvRecord): BankLine {
  const [code = '', name = '', base = '', template = '', nipBankCode = '', transfers, directDebit, offered] = cells
  const wrong = (what: string): BankError => new BankError(`Line ${number}: ${what}`)
  if (cells.length !== COLUMNS) throw wrong(`there must be ${COLUMNS} values, separated by commas.`)
  if (!CODE.test(code)) throw wrong('code must have 3 to 6 digits.')
  checkName(name, wrong)
  if (base !== '' && !BASE_USSD_CODE.test(base)) throw wrong('baseUssdCode must be like *737#.')
  if (template !== '' && !isTemplate(template))
    throw wrong('ussdTemplate must be like *737*2*Amount*AccountNumber#, with both words in it.')
  if (template !== '' && base === '') throw wrong('ussdTemplate needs a baseUssdCode.')
  if (!NIP_BANK_CODE.test(nipBankCode)) throw wrong('nipBankCode must have 6 digits.')
  const isYes = (column: string, value: string | undefined): boolean => {
    if (value !== 'yes' && value !== 'no') throw wrong(`${column} must be yes or no.`)
    return value === 'yes'
  }
  return {
    code,
    name,
    baseUssdCode: base || null,
    ussdTemplate: template || null,
    nipBankCode,
    transfers: isYes('transfers', transfers),
    directDebit: isYes('directDebit', directDebit),
    isOffered: isYes('offered', offered),
  }
}

const isTemplate = (text: string): boolean =>
  USSD_TEMPLATE.test(text) && text.split('*Amount').length === 2 && text.split('*AccountNumber').length === 2

/** Throws if a bank's name is invalid. */
export function checkName(name: string, wrong = (what: string): BankError => new BankError(what)): void {
  if (!NAME.test(name)) throw wrong('name must have 1 to 60 characters, no comma, and no space at the start or end.')
}
