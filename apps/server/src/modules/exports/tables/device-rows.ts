import { DeviceReport } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import { dataOf, markOf, placeOf, rowPerEvent, whoOf } from './row.ts'

const report = Compile(DeviceReport)

/** R93: earlier releases stored anything under this name, and rows contain only what the columns allow. */
export const deviceRows = () =>
  rowPerEvent(['device_report'], (event, session) => {
    const data = dataOf(event)
    if (!report.Check(data)) return undefined
    return { ...whoOf(session), ...placeOf(event), ...data, ...markOf(session) }
  })
