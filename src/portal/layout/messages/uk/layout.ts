/** The texts around every page. */
export const LAYOUT_UK = {
  skip: "Перейти до змісту",
  menu: "Розділи",
  languages: "Мова",
  auctions: "Аукціони",
  documentation: "Для розробників",
  sandbox: "тестове середовище",
  about: "Tenderhall — публічний реєстр закупівель.",
  zone: (zone: string) => `Час вказано за часовим поясом ${zone}.`,
};
