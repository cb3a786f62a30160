// SPDX-License-Identifier: MIT

/// The words that mean more than themselves, in the languages in which Photo Portal is shipped: in lower
/// case, and without marks on their letters.
enum SearchWordList {
    static let facets: [String: SearchFacet] = {
        var facets: [String: SearchFacet] = [:]
        for (facet, words) in named {
            for word in words { facets[word] = facet }
        }
        return facets
    }()

    private static let named: [(SearchFacet, [String])] = [
        (
            .picture,
            [
                "photo", "photos", "picture", "pictures", "image", "images", "foto", "fotos",
                "bild",
                "bilder", "照片", "相片", "图片",
            ]
        ),
        (
            .video,
            [
                "video", "videos", "movie", "movies", "film", "films", "filme", "视频", "录像", "影片",
            ]
        ),
        (
            .animation,
            [
                "animation", "animations", "animated", "animationen", "animiert", "animierte", "动图",
                "动画",
            ]
        ),
        (
            .live,
            [
                "live", "live photo", "live photos", "motion photo", "motion photos", "livefoto",
                "livefotos", "live foto", "live fotos", "live-foto", "live-fotos", "实况", "实况照片",
                "动态照片",
            ]
        ),
        (
            .burst,
            [
                "burst", "bursts", "burst photo", "burst photos", "serie", "serien", "fotoserie",
                "fotoserien", "bildserie", "bildserien", "serienbild", "serienbilder",
                "serienaufnahme", "serienaufnahmen", "连拍", "连拍照片",
            ]
        ),
        (.raw, ["raw", "raws", "rohdatei", "rohdateien", "原始文件"]),
        (
            .portrait,
            ["portrait", "vertical", "upright", "hochformat", "hochkant", "竖图", "竖拍", "竖版", "纵向"]
        ),
        (.landscape, ["landscape", "horizontal", "querformat", "横图", "横拍", "横版", "横向"]),
        (.square, ["square", "quadrat", "quadratisch", "方图", "方形", "正方形"]),
        (
            .hasPlace,
            [
                "has place", "has a place", "with place", "with a place", "with location",
                "has location", "has a location", "geotagged", "mit ort", "mit einem ort",
                "mit standort", "有位置", "有地点", "带位置",
            ]
        ),
        (
            .favorite,
            [
                "favorite", "favorites", "favourite", "favourites", "favorit", "favoriten",
                "lieblingsfoto", "lieblingsfotos", "lieblingsbild", "lieblingsbilder", "收藏", "最爱",
            ]
        ),
    ]

    /// The most characters of a Chinese word in these lists.
    static let longestChinese = 4

    /// Days that are counted from today.
    enum RelativeDays {
        case days(Int)
        /// Calendar weeks, which begin on Mondays.
        case weeks(Int)
        case months(Int)
        case years(Int)

        func facet(_ today: CalendarDay) -> SearchFacet? {
            let range: DayRange?
            switch self {
            case .days(let count): range = DayRange(day: today.adding(days: count))
            case .weeks(let count):
                let monday = today.adding(days: count * 7 - today.weekday)
                range = DayRange(monday, upTo: monday?.adding(days: 7))
            case .months(let count):
                range = DayRange(
                    CalendarDay(year: today.year, monthFromJanuary: today.month + count),
                    upTo: CalendarDay(year: today.year, monthFromJanuary: today.month + count + 1))
            case .years(let count): range = DayRange(year: today.year + count)
            }
            return range.map { .days([$0]) }
        }
    }

    static let relativeDays: [String: RelativeDays] = [
        "today": .days(0), "heute": .days(0), "今天": .days(0),
        "yesterday": .days(-1), "gestern": .days(-1), "昨天": .days(-1),
        "vorgestern": .days(-2), "前天": .days(-2),
        "this week": .weeks(0), "diese woche": .weeks(0), "dieser woche": .weeks(0),
        "本周": .weeks(0), "这周": .weeks(0), "这星期": .weeks(0),
        "last week": .weeks(-1), "letzte woche": .weeks(-1), "letzter woche": .weeks(-1),
        "上周": .weeks(-1), "上星期": .weeks(-1), "上个星期": .weeks(-1),
        "this month": .months(0), "dieser monat": .months(0), "diesen monat": .months(0),
        "diesem monat": .months(0), "本月": .months(0), "这个月": .months(0),
        "last month": .months(-1), "letzter monat": .months(-1), "letzten monat": .months(-1),
        "上个月": .months(-1), "上月": .months(-1),
        "this year": .years(0), "dieses jahr": .years(0), "diesem jahr": .years(0),
        "今年": .years(0),
        "last year": .years(-1), "letztes jahr": .years(-1), "letzten jahr": .years(-1),
        "去年": .years(-1), "前年": .years(-2),
    ]

    static let months: [String: Int] = {
        let names: [[String]] = [
            ["january", "jan", "januar", "janner"],
            ["february", "feb", "februar", "feber"],
            ["march", "mar", "marz", "maerz", "mrz"],
            ["april", "apr"],
            ["may", "mai"],
            ["june", "jun", "juni"],
            ["july", "jul", "juli"],
            ["august", "aug"],
            ["september", "sep", "sept"],
            ["october", "oct", "oktober", "okt"],
            ["november", "nov"],
            ["december", "dec", "dezember", "dez"],
        ]
        var months: [String: Int] = [:]
        for (index, words) in names.enumerated() {
            for word in words { months[word] = index + 1 }
        }
        return months
    }()
}
