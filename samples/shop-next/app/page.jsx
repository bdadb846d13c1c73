import process from 'node:process'
import { Shop } from './shop.jsx'

export const dynamic = 'force-dynamic' // reads the environment at each request

export default function Page() {
  return <Shop baseUrl={process.env.KOBO_URL ?? 'http://localhost:8080'} />
}
