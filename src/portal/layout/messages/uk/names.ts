import type { DocumentType } from "../../../../dialects/documentTypes.ts";
import type {
  AWARD_STATUSES,
  BID_STATUSES,
  CANCELLATION_REASON_TYPES,
  CANCELLATION_STATUSES,
  COMPLAINT_STATUSES,
  COMPLAINT_TYPES,
  CONTRACT_STATUSES,
  EntityKind,
  FEATURE_SUBJECTS,
  LOT_STATUSES,
  REJECT_REASONS,
  RESOLUTIONS,
  SubjectKind,
  TenderStatus,
} from "../../../../domain/model/tender.ts";
import type { ProcedureName } from "../../../../domain/procedures/names.ts";
import type { QUICK_CAUSES } from "../../../../domain/procedures/negotiationQuick.ts";
import type { ProcurementMethod } from "../../../../domain/procedures/procedure.ts";

/** A name for each of the codes. */
type NamesOf<Codes extends readonly string[]> = { readonly [code in Codes[number]]: string };

/** What people call the codes of the protocol. A value that users may choose freely is looked up with `nameOf`. */
export const NAMES_UK = {
  tenderStatuses: {
    draft: "Чернетка",
    "active.enquiries": "Період уточнень",
    "active.tendering": "Подання пропозицій",
    "active.auction": "Аукціон",
    "active.qualification": "Кваліфікація",
    "active.awarded": "Пропозиції розглянуто",
    active: "Триває",
    complete: "Завершена",
    cancelled: "Відмінена",
    unsuccessful: "Не відбулася",
  } satisfies { readonly [status in TenderStatus]: string },
  lotStatuses: {
    active: "Активний",
    cancelled: "Відмінений",
    unsuccessful: "Не відбувся",
    complete: "Завершений",
  } satisfies NamesOf<typeof LOT_STATUSES>,
  bidStatuses: { active: "Подана", draft: "Чернетка" } satisfies NamesOf<typeof BID_STATUSES>,
  awardStatuses: {
    pending: "Очікує рішення",
    unsuccessful: "Відхилено",
    active: "Переможець",
    cancelled: "Рішення скасовано",
  } satisfies NamesOf<typeof AWARD_STATUSES>,
  contractStatuses: {
    pending: "Очікує підписання",
    terminated: "Розірвано",
    active: "Підписано",
    cancelled: "Скасовано",
  } satisfies NamesOf<typeof CONTRACT_STATUSES>,
  complaintTypes: { claim: "Вимога", complaint: "Скарга" } satisfies NamesOf<typeof COMPLAINT_TYPES>,
  complaintStatuses: {
    draft: "Чернетка",
    claim: "Очікує відповіді замовника",
    answered: "Замовник відповів",
    pending: "Очікує розгляду",
    accepted: "Прийнято до розгляду",
    invalid: "Залишено без розгляду",
    resolved: "Вирішено",
    declined: "Відхилено",
    cancelled: "Відкликано",
    ignored: "Залишено без відповіді",
    satisfied: "Задоволено",
    stopping: "Відкликано, очікує рішення органу оскарження",
    stopped: "Розгляд припинено",
    mistaken: "Подано помилково",
  } satisfies NamesOf<typeof COMPLAINT_STATUSES>,
  resolutions: {
    invalid: "Вимогу визнано недійсною",
    resolved: "Вимогу задоволено",
    declined: "Вимогу відхилено",
  } satisfies NamesOf<typeof RESOLUTIONS>,
  rejectReasons: {
    lawNonСompliance: "Скарга не відповідає вимогам закону",
    noPaymentReceived: "Плату за подання скарги не отримано",
    buyerViolationsСorrected: "Замовник усунув порушення",
  } satisfies NamesOf<typeof REJECT_REASONS>,
  cancellationStatuses: { pending: "Готується", active: "Чинна" } satisfies NamesOf<typeof CANCELLATION_STATUSES>,
  cancellationReasonTypes: {
    cancelled: "Закупівлю відмінено",
    unsuccessful: "Закупівля не відбулася",
  } satisfies NamesOf<typeof CANCELLATION_REASON_TYPES>,
  subjects: { tender: "Закупівля", item: "Предмет закупівлі", lot: "Лот" } satisfies {
    readonly [subject in SubjectKind]: string;
  },
  featureSubjects: {
    tenderer: "Учасник",
    lot: "Лот",
    item: "Предмет закупівлі",
  } satisfies NamesOf<typeof FEATURE_SUBJECTS>,
  procedures: {
    basic: "Базова закупівля",
    belowThreshold: "Допорогова закупівля",
    reporting: "Звіт про укладений договір",
    negotiation: "Переговорна процедура",
    "negotiation.quick": "Переговорна процедура за нагальної потреби",
  } satisfies { readonly [procedure in ProcedureName]: string },
  procurementMethods: { open: "Відкрита", limited: "Обмежена" } satisfies {
    readonly [method in ProcurementMethod["procurementMethod"]]: string;
  },
  submissionMethods: { electronicAuction: "Електронний аукціон" } satisfies {
    readonly [method in NonNullable<ProcurementMethod["submissionMethod"]>]: string;
  },
  awardCriteria: { lowestCost: "Найнижча ціна" } satisfies {
    readonly [criteria in NonNullable<ProcurementMethod["awardCriteria"]>]: string;
  },
  /** As above, for tenders with criteria other than price. */
  weightedAwardCriteria: { lowestCost: "Найнижча ціна з урахуванням нецінових критеріїв" } satisfies {
    readonly [criteria in NonNullable<ProcurementMethod["awardCriteria"]>]: string;
  },
  buyerKinds: {
    general: "Орган державної влади, місцевого самоврядування або інший замовник загального сектору",
    special: "Замовник в окремих сферах господарювання",
    defense: "Замовник у сфері оборони",
    other: "Інший замовник",
  } satisfies { readonly [kind in EntityKind]: string },
  causes: {
    quick: "Нагальна потреба",
    artContestIP: "Твори мистецтва, захист прав інтелектуальної власності або договір із переможцем конкурсу",
    noCompetition: "Відсутність конкуренції, зокрема з технічних причин",
    twiceUnsuccessful: "Торги двічі не відбулися через недостатню кількість учасників",
    additionalPurchase: "Додаткова закупівля в того самого постачальника",
    additionalConstruction: "Додаткові будівельні роботи, не передбачені первинним договором",
    stateLegalServices: "Юридичні послуги із захисту прав та інтересів держави",
  } satisfies NamesOf<typeof QUICK_CAUSES>,
  documentTypes: {
    tenderNotice: "Повідомлення про закупівлю",
    awardNotice: "Повідомлення про рішення",
    contractNotice: "Повідомлення про договір",
    notice: "Повідомлення",
    biddingDocuments: "Тендерна документація",
    technicalSpecifications: "Технічні вимоги",
    evaluationCriteria: "Критерії оцінки",
    clarifications: "Роз’яснення",
    shortlistedFirms: "Короткий список учасників",
    riskProvisions: "Положення про управління ризиками",
    billOfQuantity: "Кошторис",
    bidders: "Інформація про учасників",
    conflictOfInterest: "Виявлені конфлікти інтересів",
    debarments: "Відомості про недопущення до закупівлі",
    evaluationReports: "Звіт про оцінку",
    winningBid: "Пропозиція переможця",
    complaints: "Скарги та рішення за ними",
    contractSigned: "Підписаний договір",
    contractArrangements: "Порядок припинення договору",
    contractSchedule: "Графік та етапи виконання договору",
    contractAnnexe: "Додаток до договору",
    contractGuarantees: "Забезпечення виконання договору",
    subContract: "Договір субпідряду",
    eligibilityCriteria: "Вимоги до учасників",
    contractProforma: "Проєкт договору",
    commercialProposal: "Цінова пропозиція",
    qualificationDocuments: "Документи, що підтверджують кваліфікацію",
    eligibilityDocuments: "Документи, що підтверджують відповідність вимогам",
    registerExtract: "Витяг із реєстру",
  } satisfies { readonly [type in DocumentType]: string },
};
