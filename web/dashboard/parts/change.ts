/** If the amount grew to more times than this, a percentage says little. */
const TIMES_SHOWN_MAX = 10

/** The change compared with a week ago at the same time of day. */
export const changeOf = (now: number, before: number): string =>
  before === 0
    ? 'nothing collected by this time last week'
    : now > before * TIMES_SHOWN_MAX
      ? `over ${TIMES_SHOWN_MAX} times as much as this day last week`
      : `${now >= before ? '+' : '−'}${Math.abs(Math.round((now / before - 1) * 100)).toLocaleString('en')}% vs this day last week`
