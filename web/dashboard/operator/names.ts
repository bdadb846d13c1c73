/** A field name in words: `settlementTime` → “Settlement time”. */
export const nameOf = (name: string): string => {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/[-/]/g, ' ')
  return text
    .replace(/^\w/, (letter) => letter.toUpperCase())
    .replace(/\b(ip|bvn|nin|url)\b/gi, (word) => word.toUpperCase())
}

const SETTINGS: Readonly<Record<string, string>> = {
  feeBearer: 'Who pays the fee',
  underpayment: 'Underpayments',
  settlement: 'Settlement',
  settlementTime: 'Settlement time (Lagos)',
  settlementDestination: 'Settlement destination',
  settlementAccount: 'Settlement account',
  paymentMethods: 'Payment methods',
  accountDurationSeconds: 'Payment expires after (seconds)',
  webhookUrl: 'Webhook URL',
  webhookUrls: 'Webhook URLs by event',
  otpEnabled: 'API payouts need a one-time code',
  ipWhitelist: 'Allowed IP addresses',
  lowBalanceThreshold: 'Low-balance alert (naira)',
  mail: 'Email notifications',
  inlineOrigins: 'Sites allowed to open the checkout',
  compat: 'Rules relaxed for older clients',
}

/** A setting's label. */
export const settingName = (name: string): string => SETTINGS[name] ?? nameOf(name)

/** A setting's value in words. */
export function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (Array.isArray(value)) return value.map(asText).join(', ') || '–'
  if (typeof value !== 'object') return /^[A-Z_]+$/.test(String(value)) ? lower(String(value)) : String(value)
  const shown = Object.entries(value).filter(([, one]) => one !== null && one !== false)
  return shown.map(([name, one]) => (one === true ? nameOf(name) : `${nameOf(name)} ${asText(one)}`)).join(', ') || '–'
}

const lower = (word: string): string => {
  if (word === 'USSD') return word
  const text = word.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
