import { naira } from '../../ui/money.ts'

/** An amount in large figures; long ones are smaller, to stay on one line. */
export function Amount({ of, isUnseen = false }: { readonly of: number; readonly isUnseen?: boolean }) {
  const [whole = '', kobo = ''] = naira(of).split('.')
  return (
    <span
      class={whole.length > 12 ? 'amount longest' : whole.length > 8 ? 'amount long' : 'amount'}
      aria-hidden={isUnseen ? 'true' : undefined}
    >
      {whole}
      <small>.{kobo}</small>
    </span>
  )
}
