import type { Messages } from '../../ui/messages/en.ts'

interface Props {
  readonly name: string
  readonly logo: string | null
  readonly isSandbox: boolean
  readonly words: Messages
}

export const MerchantHead = ({ name, logo, isSandbox, words }: Props) => (
  <div class="merchant">
    {logo === null ? (
      <span class="initial" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
    ) : (
      <img class="initial logo" src={logo} alt="" width="36" height="36" />
    )}
    <span class="name">{name}</span>
    {isSandbox && (
      <span class="badge" title={words.sandboxNote}>
        {words.sandbox}
      </span>
    )}
  </div>
)
