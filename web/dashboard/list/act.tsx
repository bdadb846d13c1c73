import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { BankField } from '../bank-field.tsx'
import { problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import type { Act, Asked } from './spec.ts'

interface ActProps<Subject> {
  readonly act: Act<Subject>
  readonly subject: Subject
  /** Called once it is done, with what there is to say. */
  readonly done: (told: string) => void
  readonly isPlain?: boolean
}

/** A button for what can be done, and the form behind it. */
export function ActButton<Subject>({ act, subject, done, isPlain = false }: ActProps<Subject>): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const send = async (fields: Fields): Promise<string | undefined> => {
    const answer = await act.act(subject, fields)
    if (answer.kind !== 'done') return problemOf(answer)
    dialog.current?.close()
    done(act.told ?? `Done: ${act.title.toLowerCase()}.`)
    return undefined
  }
  const asks = typeof act.asks === 'function' ? act.asks(subject) : act.asks
  const look = act.isDanger === true ? 'button danger fit' : isPlain ? 'button plain fit' : 'button fit'
  return (
    <>
      <button class={look} type="button" onClick={() => dialog.current?.showModal()}>
        {act.title}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby={title}>
        <div class="stack">
          <h2 id={title}>{act.title}</h2>
          {act.text !== undefined && <p class="quiet">{act.text}</p>}
          <Form act={send} submit={act.title} cancel={() => dialog.current?.close()}>
            {asks.map((asked) => (
              <AskedField key={asked.name} asked={asked} />
            ))}
          </Form>
        </div>
      </dialog>
    </>
  )
}

const PLAIN_KINDS = {
  text: {},
  email: { type: 'email' },
  amount: { inputMode: 'decimal' },
  number: { inputMode: 'numeric' },
  day: { type: 'date' },
} as const

function AskedField({ asked: { kind = 'text', ...asked } }: { readonly asked: Asked }): JSX.Element {
  if (kind === 'bank') return <BankField name={asked.name} label={asked.label} isOptional={asked.isOptional ?? false} />
  if (kind === 'choice') return <ChoiceField asked={asked} />
  if (kind === 'ticks') return <TickFields asked={asked} />
  return <Field {...asked} {...PLAIN_KINDS[kind]} />
}

type Chosen = Omit<Asked, 'kind'>

function ChoiceField({
  asked: { name, label, choices = [], value, isOptional = false },
}: {
  readonly asked: Chosen
}): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} required={!isOptional}>
        {choices.map(([one, title]) => (
          <option key={one} value={one} selected={one === value}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

const TickFields = ({ asked: { name, label, choices = [], ticked = [] } }: { readonly asked: Chosen }): JSX.Element => (
  <fieldset class="ticks">
    <legend>{label}</legend>
    {choices.map(([one, title]) => (
      <label key={one} class="tick">
        <input type="checkbox" name={`${name}.${one}`} value="on" defaultChecked={ticked.includes(one)} />
        <span>{title}</span>
      </label>
    ))}
  </fieldset>
)
