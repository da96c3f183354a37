import type { Question } from "../../domain/model/tender.ts";
import type { LinkedComplaint } from "../../views/publicTender.ts";
import { tag, userText } from "../layout/components.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortText } from "../layout/shortText.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { renderAttachedDocuments } from "./documentsPart.ts";
import { cutList, noteOf, sectionOf } from "./sectionPart.ts";
import {
  aboutSubject,
  longText,
  momentOf,
  namesOf,
  organizationName,
  type TenderScreen,
  TITLE_LENGTH_MAX,
  textsOf,
} from "./tenderScreen.ts";

/** What people asked the buyer, and what they complain about. */

/** Questions with their answers, latest first. */
export function renderQuestionsPart(screen: TenderScreen): Markup {
  const { questions } = screen.tender;
  if (questions.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "questions", questions.toReversed());
  return sectionOf(
    screen,
    "questions",
    html`<ol class="entries" role="list">
${shown.map((question) => questionItem(screen, question))}</ol>
${after}`,
  );
}

function questionItem(screen: TenderScreen, question: Question): Markup {
  const texts = textsOf(screen).questions;
  const { title, description, author, answer, date, dateAnswered, questionOf, relatedItem } = question;
  const about = aboutSubject(screen, questionOf, relatedItem);
  return html`<li>
<h3>${userText(shortText(title?.trim() || texts.untitled, TITLE_LENGTH_MAX))}</h3>
${noteOf(html`${texts.asked}: ${momentOf(screen, date)}${authorNote(screen, texts.author, organizationName(screen, author))}${about === undefined ? EMPTY_MARKUP : html` · ${about}`}`)}
${description?.trim() ? longText(screen, description) : EMPTY_MARKUP}
<div class="answer">${
    answer === undefined
      ? html`<p class="quiet">${texts.unanswered}</p>`
      : html`<strong>${texts.answered}</strong>${dateAnswered === undefined ? EMPTY_MARKUP : noteOf(momentOf(screen, dateAnswered))}
${longText(screen, answer)}`
  }</div>
</li>
`;
}

const authorNote = (_screen: TenderScreen, label: string, name: string | undefined): Markup =>
  name === undefined ? EMPTY_MARKUP : html` · ${label}: ${userText(shortText(name, TITLE_LENGTH_MAX))}`;

/** A complaint with what it is about. */
type SubjectComplaint = {
  readonly complaint: LinkedComplaint;
  readonly supplier?: string | undefined;
  readonly isAboutAward: boolean;
};

/** The complaints about the tender and its awards that were filed, latest first. Drafts are not filed yet. */
export function filedComplaints(screen: Pick<TenderScreen, "tender" | "language">): readonly SubjectComplaint[] {
  const { complaints, awards } = screen.tender;
  const ofTender = complaints.map((complaint) => ({ complaint, isAboutAward: false }));
  const ofAwards = awards.flatMap(({ complaints: contested, suppliers }) =>
    contested.map((complaint) => ({ complaint, isAboutAward: true, supplier: suppliers?.[0]?.name })),
  );
  return [...ofTender, ...ofAwards]
    .filter(({ complaint }) => complaint.status !== "draft")
    .toSorted((a, b) => b.complaint.date - a.complaint.date);
}

/** Claims and complaints with answers and decisions. */
export function renderComplaintsPart(screen: TenderScreen): Markup {
  const complaints = filedComplaints(screen);
  if (complaints.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "complaints", complaints);
  return sectionOf(
    screen,
    "complaints",
    html`<ol class="entries" role="list">
${shown.map((entry) => complaintItem(screen, entry))}</ol>
${after}`,
  );
}

function complaintItem(screen: TenderScreen, { complaint, supplier, isAboutAward }: SubjectComplaint): Markup {
  const texts = textsOf(screen).complaints;
  const names = namesOf(screen);
  const { title, description, author, type, status, complaintID, date, dateSubmitted, relatedLot } = complaint;
  const subject = isAboutAward ? texts.aboutAward : texts.aboutTender;
  const named = supplier === undefined ? EMPTY_MARKUP : html` ${userText(shortText(supplier, TITLE_LENGTH_MAX))}`;
  const lot = aboutSubject(screen, "lot", relatedLot);
  return html`<li>
<h3>${names.complaintTypes[type]} <span class="whole">${complaintID}</span>: ${userText(shortText(title?.trim() || texts.untitled, TITLE_LENGTH_MAX))}</h3>
<p>${tag(names.complaintStatuses[status], "neutral")}</p>
${noteOf(html`${texts.filed}: ${momentOf(screen, dateSubmitted ?? date)}${authorNote(screen, texts.author, organizationName(screen, author))} · ${subject}${named}${lot === undefined ? EMPTY_MARKUP : html` · ${lot}`}`)}
${description?.trim() ? longText(screen, description) : EMPTY_MARKUP}
${complaintCourse(screen, complaint)}${renderAttachedDocuments(screen, complaint.documents)}</li>
`;
}

/** What became of a complaint, in the order in which it happens. */
function complaintCourse(screen: TenderScreen, complaint: LinkedComplaint): Markup {
  const texts = textsOf(screen).complaints;
  const names = namesOf(screen);
  const { resolution, resolutionType, dateAnswered, satisfied, tendererAction, tendererActionDate } = complaint;
  const { rejectReason, rejectReasonDescription, reviewDate, reviewPlace, decision, dateDecision } = complaint;
  const { cancellationReason, dateCanceled } = complaint;
  const kind = resolutionType === undefined ? EMPTY_MARKUP : html`<p>${names.resolutions[resolutionType]}</p>`;
  const reason = rejectReason === undefined ? undefined : nameOf(names.rejectReasons, rejectReason);
  const rejection = [reason, rejectReasonDescription].filter((text) => text !== undefined).join(". ");
  return html`${step(screen, texts.answer, resolution, dateAnswered, kind)}${
    satisfied === undefined ? EMPTY_MARKUP : html`<p>${satisfied ? texts.satisfied : texts.unsatisfied}</p>\n`
  }${step(screen, texts.review, reviewPlace, reviewDate)}${step(screen, texts.rejected, rejection || undefined, undefined)}${step(screen, texts.decision, decision, dateDecision)}${step(screen, texts.action, tendererAction, tendererActionDate)}${step(screen, texts.withdrawn, cancellationReason, dateCanceled)}`;
}

function step(
  screen: TenderScreen,
  label: string,
  text: string | undefined,
  at: number | undefined,
  before: Markup = EMPTY_MARKUP,
): Markup {
  if (text === undefined && at === undefined) return EMPTY_MARKUP;
  return html`<div class="answer"><strong>${label}</strong>${at === undefined ? EMPTY_MARKUP : noteOf(momentOf(screen, at))}
${before}${text?.trim() ? longText(screen, text) : EMPTY_MARKUP}</div>
`;
}
