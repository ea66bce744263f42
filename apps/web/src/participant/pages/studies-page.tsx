import { type ExperimentSummary, participantCalls } from '@atrium/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import type { Identity } from '../../identity/identity.ts'
import { texts } from '../../text/participant.ts'
import { linkWithAccount } from '../arrival.ts'
import { refusalTextOf } from '../refusal-text.ts'
import { Page } from './page.tsx'

/** The studies that are recruiting, for people who come without a link. */
export function StudiesPage({ identity }: { identity: Identity }) {
  const [studies, setStudies] = useState<ExperimentSummary[] | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const take = (news: ExperimentSummary[] | Error) => isCurrent && setStudies(news)
    findStudies(identity).then(take, take)
    return () => {
      isCurrent = false
    }
  }, [identity, attempt])
  const again = () => {
    setStudies(null)
    setAttempt(attempt + 1)
  }
  return (
    <Page
      hasOwnCards
      head={
        <a className="link page-leave" href="/console">
          {texts().studies.forResearchers}
        </a>
      }
    >
      <div className="home-title">
        <h1>{texts().studies.title}</h1>
        <p className="quiet">{texts().frame.home.lead}</p>
      </div>
      {studies === null && <Loading />}
      {studies instanceof Error && (
        <div className="card home-empty">
          <p role="alert">{refusalTextOf(studies)}</p>
          <button type="button" className="button" onClick={again}>
            {texts().studies.tryAgain}
          </button>
        </div>
      )}
      {Array.isArray(studies) && <List studies={studies} />}
    </Page>
  )
}

/** Cards without words, where the studies will be. */
const Loading = () => (
  <>
    <p className="visually-hidden" role="status">
      {texts().studies.loading}
    </p>
    <ul className="studies" aria-hidden="true">
      {['first', 'second', 'third'].map((place) => (
        <li key={place} className="card study-card is-loading" />
      ))}
    </ul>
  </>
)

/** From this many on, nobody needs to hurry. */
const manyPlaces = 1_000

function List({ studies }: { studies: ExperimentSummary[] }) {
  const open = studies.filter(({ full }) => full !== true)
  if (open.length === 0)
    return (
      <div className="card home-empty">
        <h2>{texts().frame.home.noneTitle}</h2>
        <p className="quiet">{texts().studies.none}</p>
      </div>
    )
  return (
    <ul className="studies">
      {open.map((study) => (
        <li key={study.experimentId} className="card study-card">
          <StudyCard {...study} />
        </li>
      ))}
    </ul>
  )
}

function StudyCard({ experimentId, name, summary, minutes, groupSize, availableSlots }: ExperimentSummary) {
  const { home } = texts().frame
  return (
    <>
      <h2 dir="auto">
        {/* The whole card can be pressed; its name is what it is called. */}
        <a href={linkWithAccount(experimentId)}>{name}</a>
      </h2>
      {summary !== undefined && (
        <p className="study-summary" dir="auto">
          {summary}
        </p>
      )}
      <ul className="study-facts">
        {minutes !== undefined && <li>{home.minutes(minutes)}</li>}
        <li>{peopleText(groupSize)}</li>
        {availableSlots < manyPlaces && <li>{texts().studies.placesLeft(availableSlots)}</li>}
      </ul>
      <span className="study-open" aria-hidden="true">
        {home.open}
      </span>
    </>
  )
}

function peopleText(groupSize: ExperimentSummary['groupSize']): string {
  const { alone, together, between } = texts().frame.home
  if (groupSize === undefined) return alone
  return groupSize.min === groupSize.max ? together(groupSize.max) : between(groupSize.min, groupSize.max)
}

async function findStudies(identity: Identity): Promise<ExperimentSummary[]> {
  const ask = async (isRefresh: boolean) =>
    await call(participantCalls.discoverV3, { idToken: await identity.idToken({ isRefresh }) })
  return (await ask(false)).data.experiments
}
