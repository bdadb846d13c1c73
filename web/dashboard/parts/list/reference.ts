const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12

/** A unique reference for something created on a screen: `refund-k3v9t2m8xq4r`. */
export function newReference(kind: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return `${kind}-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

/** The search for a reference of any kind, which opens its page. */
export const searchUrl = (reference: string): string => `/dashboard/search?text=${encodeURIComponent(reference)}`

/** Matches a masked email address, as in a***@example.com: users who may not see customers get only this. */
const MASKED = /^.\*\*\*@/u

/** The page of a customer; none without an email address, or if it is masked. */
export const customerUrl = (email: string | null): string | undefined =>
  email === null || MASKED.test(email) ? undefined : `/dashboard/customers/${encodeURIComponent(email)}`
