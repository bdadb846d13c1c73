import type { JSX } from 'preact'
import type { ScreenProps } from '../screen.ts'

/** Where one arrives: what there is to do, by what one may do. */
export default function Home({ me, screens }: ScreenProps): JSX.Element {
  return (
    <div class="stack">
      <h1>Welcome, {me.name}</h1>
      {!me.hasSecondFactor && (
        <p class="notice warn">
          Payouts, keys and the team ask for a second factor. <a href="/dashboard/profile">Set one up</a>
        </p>
      )}
      <ul class="choices">
        {screens
          .filter(({ group }) => group !== undefined)
          .map(({ name, title }) => (
            <li key={name}>
              <a class="choice" href={`/dashboard/${name}`}>
                <span>
                  <b>{title}</b>
                </span>
              </a>
            </li>
          ))}
      </ul>
    </div>
  )
}
