const DAY = { timeZone: 'Africa/Lagos', day: 'numeric', month: 'short', year: 'numeric' } as const
const DAYS = new Intl.DateTimeFormat('en-GB', DAY)
const MOMENTS = new Intl.DateTimeFormat('en-GB', { ...DAY, hour: '2-digit', minute: '2-digit' })

/** Formats a time in Lagos with its zone: 2 Mar 2026, 09:00 WAT. */
export const moment = (at: string | number): string => `${MOMENTS.format(new Date(at))} WAT`

/** Formats a day such as 2026-03-02: 2 Mar 2026. */
export const dayText = (day: string): string => DAYS.format(new Date(day))
