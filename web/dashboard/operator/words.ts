/** `settlementTime` as people write it. */
export const nameOf = (name: string): string => {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/[-/]/g, ' ')
  return text
    .replace(/^\w/, (letter) => letter.toUpperCase())
    .replace(/\b(ip|bvn|nin|url)\b/gi, (word) => word.toUpperCase())
}

const SETTINGS: Readonly<Record<string, string>> = {
  feeBearer: 'Who pays the fee',
  underpayment: 'A payment of too little',
  settlement: 'Settled',
  settlementTime: 'At, in Lagos',
  settlementDestination: 'To',
  settlementAccount: 'Bank account',
  paymentMethods: 'Payers may pay by',
  accountDurationSeconds: 'A payment stays open for, in seconds',
  webhookUrl: 'Events go to',
  webhookUrls: 'Events of a kind go to',
  otpEnabled: 'Payouts of its server wait for a code',
  ipWhitelist: 'Its servers call from',
  lowBalanceThreshold: 'Told when the wallet falls below, in naira',
  mail: 'Mails to it',
  inlineOrigins: 'Sites that may open payments',
}

/** A setting as people call it. */
export const settingName = (name: string): string => SETTINGS[name] ?? nameOf(name)

/** Any value of a setting in words. */
export function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (Array.isArray(value)) return value.map(asText).join(', ') || '–'
  if (typeof value !== 'object') return /^[A-Z_]+$/.test(String(value)) ? lower(String(value)) : String(value)
  const told = Object.entries(value).filter(([, one]) => one !== null && one !== false)
  return told.map(([name, one]) => (one === true ? nameOf(name) : `${nameOf(name)} ${asText(one)}`)).join(', ') || '–'
}

const lower = (word: string): string => {
  if (word === 'USSD') return word
  const text = word.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
