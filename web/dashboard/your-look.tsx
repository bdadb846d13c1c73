import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Field, type Fields, Form } from './form.tsx'
import type { AskedSettings, MerchantSettings } from './use-settings.ts'

const LOGO_BYTES_MAX = 32_768
const SAVED = 'Saved. New and open payments show it at once.'

interface Props extends Pick<AskedSettings, 'change'> {
  readonly settings: MerchantSettings
  readonly mayChange: boolean
}

/** How the merchant's own look comes to its payers' pages: logo, colour, and whom they ask. */
export function YourLook({ settings, change, mayChange }: Props): JSX.Element {
  const { brandColour, supportContact, logo } = settings
  const save = ({ colour = '', contact = '' }: Fields): Promise<string | undefined> =>
    change(
      { brandColour: colour === '' ? null : colour.toLowerCase(), supportContact: contact === '' ? null : contact },
      SAVED,
    )
  return (
    <section class="panel stack" aria-labelledby="look">
      <h2 id="look">Your payers’ pages</h2>
      {logo !== null && <img src={logo} alt="Your logo" width="72" height="72" />}
      {mayChange ? (
        <>
          <LogoField hasLogo={logo !== null} change={change} />
          <Form act={save} submit="Save the look" key={`${brandColour} ${supportContact}`}>
            <Field
              name="colour"
              label="Colour of the head"
              hint="As #0c3b2a, dark enough for white letters. Leave it empty for ours."
              value={brandColour ?? ''}
              isOptional
            />
            <Field
              name="contact"
              label="Whom payers ask"
              hint="An e-mail address or a phone number."
              value={supportContact ?? ''}
              isOptional
            />
          </Form>
        </>
      ) : (
        <p>{supportContact ?? 'Nobody is named whom payers could ask.'}</p>
      )}
    </section>
  )
}

/** A file of the person's, as a data URL. */
const readFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

function LogoField({ hasLogo, change }: Pick<Props, 'change'> & { readonly hasLogo: boolean }): JSX.Element {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > LOGO_BYTES_MAX) return setProblem('This file is larger than 32 kB. Make it smaller and try again.')
    setProblem(await change({ logo: await readFile(file) }, SAVED))
  }
  return (
    <div class="field">
      <label for={id}>Logo</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}-hint`}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <p class="hint" id={`${id}-hint`}>
        PNG, JPEG or WebP, square, at most 32 kB.
      </p>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {hasLogo && (
        <button type="button" class="link" onClick={() => void change({ logo: null }, 'The logo is gone.')}>
          Take the logo away
        </button>
      )}
    </div>
  )
}
