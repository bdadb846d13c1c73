import { dayText, moment } from '../../ui/dates.ts'

export { dayText, moment }

const SLASHED = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d:\d\d) (AM|PM)$/

/** The same format, from a time of the API such as 02/03/2026 09:00:00 AM (Lagos time). */
export function slashedMoment(text: string): string {
  const [, day, month, year, hour, rest, half] = SLASHED.exec(text) ?? []
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  return year === undefined ? text : moment(`${year}-${month}-${day}T${String(hours).padStart(2, '0')}:${rest}+01:00`)
}

/** The browser and system of a user agent: “Chrome on Android”. */
export function agentText(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'A browser'
  // Android names Linux first.
  const system = (/Android/.exec(agent) ?? /iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent))?.[0]
  return system === undefined ? browser : `${browser} on ${system.replace('Mac OS X', 'macOS')}`
}

/** Indents a JSON body; returns any other body unchanged. */
export function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
