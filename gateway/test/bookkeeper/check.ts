/** A check of the books: a query whose rows are violations in plain English. */
export interface Check {
  /** The rule that it checks, as a sentence. */
  readonly name: string
  /** Selects one text column; no rows if all is well. */
  readonly query: string
}

/** All moves of money, one row each. */
export const MOVES = `moves as (
  select j.merchant_id, j.key, m.source, m.target, m.amount
    from journal j
   cross join unnest(j.sources, j.targets, j.amounts) m (source, target, amount)
  union all
  select j.merchant_id, j.key, m.source, m.target, m.amount
    from journal j
    join move m on m.merchant_id = j.merchant_id and m.journal_id = j.id)`

/** The balance of every account. */
export const BALANCES = `balances as (
  select merchant_id, code, sum(balance) as balance
    from (select merchant_id, code, balance from account
          union all
          select merchant_id, code, change from balance_change) parts
   group by merchant_id, code)`

/** The newest moment that the books know: tests move business time, so the machine's clock says nothing. */
export const NOW = `current_setting('bookkeeper.now')::timestamptz`

/** An amount of kobo as people write it. */
export const naira = (kobo: string): string => `to_char(${kobo} / 100.0, 'FM999999999999990.00')`
