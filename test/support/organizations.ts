/** A school that buys meals, and a company that cooks them. */

export const school = {
  name: "Школа №10",
  identifier: {
    scheme: "UA-EDR",
    id: "21725150",
    legalName: "Загальноосвітня школа № 10",
    uri: "http://sch10.example/",
  },
  address: {
    countryName: "Україна",
    region: "м. Вінниця",
    locality: "м. Вінниця",
    postalCode: "21027",
    streetAddress: "вул. Стахурського, 22",
  },
  contactPoint: { name: "Куца Світлана", telephone: "+380 (432) 46-53-02" },
};

export const cook = {
  name: "ТОВ Смачно",
  identifier: { scheme: "UA-EDR", id: "00137256", legalName: "ТОВ Смачно" },
  address: { countryName: "Україна", locality: "м. Вінниця" },
  contactPoint: { name: "Олена", email: "olena@smachno.example" },
};
