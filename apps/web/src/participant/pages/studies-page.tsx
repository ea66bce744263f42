import { participantRoutes } from '@atrium/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import type { Identity } from '../../identity/identity.ts'
import { texts } from '../../text/participant.ts'
import { linkWithAccount } from '../arrival.ts'
import { refusalTextOf } from '../refusal-text.ts'
import { Page } from './page.tsx'

type Studies = { experimentId: string; name: string; availableSlots: number }[]

/** The studies that are recruiting, for people who come without a link. */
export function StudiesPage({ identity }: { identity: Identity }) {
  const [studies, setStudies] = useState<Studies | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const take = (news: Studies | Error) => isCurrent && setStudies(news)
    findStudies(identity).then(take, take)
    return () => {
      isCurrent = false
    }
  }, [identity, attempt])
  return (
    <Page
      aside={
        <a className="link" href="/console">
          {texts().studies.forResearchers}
        </a>
      }
    >
      <h1>{texts().studies.title}</h1>
      {studies === null && <p role="status">{texts().studies.loading}</p>}
      {studies instanceof Error && (
        <>
          <p role="alert">{refusalTextOf(studies)}</p>
          <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
            {texts().studies.tryAgain}
          </button>
        </>
      )}
      {Array.isArray(studies) && <List studies={studies} />}
    </Page>
  )
}

function List({ studies }: { studies: Studies }) {
  if (studies.length === 0) return <p>{texts().studies.none}</p>
  return (
    <ul className="studies">
      {studies.map(({ experimentId, name, availableSlots }) => (
        <li key={experimentId}>
          <a href={linkWithAccount(experimentId)}>
            <strong>{name}</strong>
            {availableSlots < 1_000 && (
              <span className="quiet">{texts().studies.placesLeft(availableSlots)}</span>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
}

async function findStudies(identity: Identity): Promise<Studies> {
  const ask = async (isRefresh: boolean) =>
    await call(participantRoutes.discoverV3, { idToken: await identity.idToken({ isRefresh }) })
  return (await ask(false)).data.experiments
}
