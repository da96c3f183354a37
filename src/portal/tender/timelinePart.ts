import { DAY, type Instant } from "../../domain/values/time.ts";
import { userText } from "../layout/components.ts";
import { machineTime } from "../layout/formats.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortText } from "../layout/shortText.ts";
import { timeLeftUntil } from "../layout/timeLeft.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import type { CurrentAction } from "./currentActions.ts";
import { cutList, sectionOf } from "./sectionPart.ts";
import {
  deadlineOf,
  lotTitle,
  momentOf,
  namesOf,
  organizationName,
  type TenderScreen,
  TITLE_LENGTH_MAX,
  textsOf,
} from "./tenderScreen.ts";
import type { TenderMoment } from "./tenderTimeline.ts";

/** Who may do what now, what comes next, and the course of the procedure. */

/** More actions of the same kind than this are not listed: those on the awards of a hundred lots. */
const SAME_ACTIONS_MAX = 5;

/** What somebody may do now, and until when. */
export function renderActionsPart(screen: TenderScreen): Markup {
  const texts = textsOf(screen);
  const { actions } = screen;
  if (actions.length === 0) return sectionOf(screen, "actions", html`<p>${texts.nobody}</p>`);
  const shown = [...Map.groupBy(actions, ({ action }) => action).values()].flatMap((same) =>
    same.slice(0, SAME_ACTIONS_MAX),
  );
  const status = nameOf(namesOf(screen).tenderStatuses, screen.tender.status);
  return sectionOf(
    screen,
    "actions",
    html`<p><strong>${texts.now(status)}</strong></p>
<ul class="actions" role="list">
${shown.map((action) => actionItem(screen, action))}</ul>
${nextPart(screen)}`,
  );
}

function actionItem(screen: TenderScreen, action: CurrentAction): Markup {
  const texts = textsOf(screen);
  const { actor, award, until, from } = action;
  const subject = award === undefined ? undefined : awardSubject(screen, award);
  const about = subject === undefined ? EMPTY_MARKUP : html` (${userText(subject)})`;
  const times = [
    ...(from === undefined ? [] : [html`<span class="note">${texts.actionFrom}: ${momentOf(screen, from)}</span>`]),
    ...(until === undefined
      ? []
      : [
          html`<span class="note">${texts.actionUntil}: ${momentOf(screen, until)}, ${timeLeftUntil(until, screen.now, screen.language).text}</span>`,
        ]),
  ];
  return html`<li><strong>${texts.actors[actor]}</strong> ${actionText(screen, action)}${about}.${times}</li>
`;
}

function actionText(screen: TenderScreen, action: CurrentAction): string {
  const { actions } = textsOf(screen);
  return "count" in action ? actions[action.action](action.count) : actions[action.action];
}

/** The supplier or lot of an award, by which people know it. */
function awardSubject(screen: TenderScreen, id: string): string | undefined {
  const award = screen.tender.awards.find((candidate) => candidate.id === id);
  const name = organizationName(screen, award?.suppliers?.[0]) ?? lotTitle(screen, award?.lotID);
  return name === undefined ? undefined : shortText(name, TITLE_LENGTH_MAX);
}

/** What time alone brings about next. */
function nextPart(screen: TenderScreen): Markup {
  const { nextChange, timeline } = screen;
  const texts = textsOf(screen);
  if (!nextChange || nextChange.at <= screen.now) return EMPTY_MARKUP;
  const kind = timeline.find(({ at }) => at === nextChange.at)?.kind ?? "deadline";
  const names = nextChange.becomes.map((status) => nameOf(namesOf(screen).tenderStatuses, status));
  const becomes = names.length === 0 ? EMPTY_MARKUP : html`<p class="quiet">${texts.becomes(names.join(texts.or))}</p>`;
  return html`<h3>${texts.next}</h3>
<p>${texts.timeline[kind]}: ${deadlineOf(screen, nextChange.at)}</p>
${becomes}`;
}

/** The moments of the procedure, in local time and UTC. */
export function renderTimelinePart(screen: TenderScreen): Markup {
  if (screen.timeline.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "timeline", screen.timeline);
  return sectionOf(
    screen,
    "timeline",
    html`<ol class="timeline" role="list">
${shown.map((moment) => momentItem(screen, moment))}</ol>
${after}`,
  );
}

function momentItem(screen: TenderScreen, { kind, at, state, lot, award }: TenderMoment): Markup {
  const texts = textsOf(screen);
  const subject = lot === undefined ? award && awardSubject(screen, award) : lotTitle(screen, lot);
  const about = subject ? html` · ${userText(subject)}` : EMPTY_MARKUP;
  const current = state === "next" ? html` aria-current="step"` : EMPTY_MARKUP;
  const className = state === "next" ? "current" : state;
  const time = html`${momentOf(screen, at)} <span class="utc whole">${texts.utc(utcText(screen, at))}</span>`;
  return html`<li class="${className}"${current}><span class="stage-name">${texts.timeline[kind]}</span>${about} <span class="visually-hidden">(${texts.states[state]})</span><br>
${time}</li>
`;
}

/** A moment in UTC: the time, with the date if that is not the local one. */
function utcText({ zone }: TenderScreen, at: Instant): string {
  const isSameDay = Math.floor(at / DAY) === Math.floor((at + zone.offsetAt(at)) / DAY);
  const text = machineTime(at);
  return isSameDay ? text.slice(11, 16) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}
