import { moment } from './format.ts'
import { humanize } from './list/value.tsx'

/** A field name in words: `settlementTime` → “Settlement time”. */
export const nameOf = (name: string): string => {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/[-/]/g, ' ')
  return text
    .replace(/^\w/, (letter) => letter.toUpperCase())
    .replace(/\b(ip|bvn|nin|url)\b/gi, (word) => word.toUpperCase())
}

const SETTINGS: Readonly<Record<string, string>> = {
  feeBearer: 'Payment fees paid by',
  underpayment: 'Underpayments',
  settlement: 'Settlement',
  settlementTime: 'Settlement time (Lagos)',
  settlementDestination: 'Settlement destination',
  settlementAccount: 'Settlement account',
  paymentMethods: 'Payment methods',
  accountDurationSeconds: 'Payment expiry (seconds)',
  webhookUrl: 'Webhook URL',
  webhookUrls: 'Webhook URLs by event',
  otpEnabled: 'API payouts need a one-time code',
  ipWhitelist: 'Allowed IP addresses',
  lowBalanceThreshold: 'Low-balance alert (naira)',
  inlineOrigins: 'Sites allowed to open the checkout',
  compat: 'Rules relaxed for older clients',
}

export const settingName = (name: string): string => SETTINGS[name] ?? nameOf(name)

/** A setting's value in words. */
export function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (Array.isArray(value)) return value.map(asText).join(', ') || '–'
  if (typeof value !== 'object') return plainText(String(value))
  const shown = Object.entries(value).filter(([, one]) => one !== null && one !== false)
  return shown.map(([name, one]) => (one === true ? nameOf(name) : `${nameOf(name)} ${asText(one)}`)).join(', ') || '–'
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

const plainText = (text: string): string =>
  MOMENT.test(text) ? moment(text) : /^[A-Z_]+$/.test(text) ? humanize(text) : text
